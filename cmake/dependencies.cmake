# What is not ours. Each has a paragraph in CONTRIBUTING.md; ./run and ./test install them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
add_library(pcre2 ALIAS PkgConfig::PCRE2)
