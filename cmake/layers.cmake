# A layer is the folder src/<name>: its sources are found, its unit tests (x_test.cpp) stand beside them.
#
# A file's suffix sets its instruction set: x_avx2.cpp, x_avx512.cpp. Those files use intrinsics and plain structs in an
# anonymous namespace only, because the linker could hand a weak symbol of theirs to an older CPU (tools/check_isa).

set(RIDGE_AVX2_FLAGS -mavx2 -mfma -mf16c -mbmi2)
set(RIDGE_AVX512_FLAGS ${RIDGE_AVX2_FLAGS} -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni
    -mprefer-vector-width=512)

add_library(ridge_flags INTERFACE)
# -ffp-contract=off: GCC contracts a*b+c differently in different functions; fma is written where it is meant.
target_compile_options(ridge_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                       -ffp-contract=off -fno-math-errno)
target_include_directories(ridge_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(RIDGE_SANITIZE)
  target_compile_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE})
endif()

function(ridge_instruction_set_flags)
  foreach(source ${ARGN})
    if(source MATCHES "_avx2\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${RIDGE_AVX2_FLAGS}")
    elseif(source MATCHES "_avx512\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${RIDGE_AVX512_FLAGS}")
    endif()
  endforeach()
endfunction()

# ridge_layer(name [LIBRARIES ...]): ridge_<name> links every layer named before it.
function(ridge_layer name)
  cmake_parse_arguments(layer "" "" "LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.h)
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  if(NOT sources)
    return()
  endif()
  ridge_instruction_set_flags(${sources})
  add_library(ridge_${name} STATIC ${sources})
  target_sources(ridge_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers})
  set_target_properties(ridge_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  get_property(below GLOBAL PROPERTY RIDGE_LAYERS)
  target_link_libraries(ridge_${name} PUBLIC ridge_flags ${below} ${layer_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY RIDGE_LAYERS ridge_${name})
endfunction()

# One test binary a layer, and one for what crosses layers (tests/); ops run once for every CPU path.
function(ridge_tests)
  find_package(GTest REQUIRED)
  get_property(layers GLOBAL PROPERTY RIDGE_LAYERS)
  foreach(target ${layers})
    string(REPLACE "ridge_" "" name ${target})
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_test.cpp)
    if(tests)
      add_executable(${name}_test ${tests})
      target_link_libraries(${name}_test PRIVATE ${target} GTest::gtest_main)
      target_compile_definitions(${name}_test PRIVATE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
      add_test(NAME ${name} COMMAND ${name}_test)
    endif()
  endforeach()
endfunction()
