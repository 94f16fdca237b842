# A layer is the folder src/<name>: its sources are found, its unit tests (x_test.cpp) stand beside them.
#
# A file's suffix sets its instruction set: x_avx2.cpp, x_avx512.cpp, x_amx.cpp. Those files use intrinsics and plain
# structs in an anonymous namespace only, because the linker could hand a weak symbol of theirs to an older CPU
# (tools/check_isa). They and x_portable.cpp are compiled alone, since all of them include the same body (x.inc).

set(RIDGE_KERNEL_FILES "_(portable|avx2|avx512|avx512bf16|avxvnni|amx)\\.cpp$")
set(RIDGE_PORTABLE_FLAGS)
set(RIDGE_AVX2_FLAGS -mavx2 -mfma -mf16c -mbmi2)
set(RIDGE_AVX512_FLAGS ${RIDGE_AVX2_FLAGS} -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni
    -mprefer-vector-width=512
    # GCC 12's own AVX-512 header passes values that it calls undefined.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
set(RIDGE_AVX512BF16_FLAGS ${RIDGE_AVX512_FLAGS} -mavx512bf16)
set(RIDGE_AVXVNNI_FLAGS ${RIDGE_AVX2_FLAGS} -mavxvnni)
set(RIDGE_AMX_FLAGS ${RIDGE_AVX512_FLAGS} -mamx-tile -mamx-int8 -mamx-bf16)

add_library(ridge_flags INTERFACE)
# -ffp-contract=off: GCC contracts a*b+c differently in different functions; fma is written where it is meant.
target_compile_options(ridge_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                       -ffp-contract=off -fno-math-errno)
target_include_directories(ridge_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(RIDGE_SANITIZE)
  # GCC 12 calls values uninitialized whose checks the sanitizer has put between them.
  target_compile_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE})
endif()
if(RIDGE_BUILD_FUZZERS)
  target_compile_options(ridge_flags INTERFACE -fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(ridge_flags INTERFACE -fprofile-instr-generate)
endif()

function(ridge_instruction_set_flags)
  foreach(source ${ARGN})
    if(source MATCHES "${RIDGE_KERNEL_FILES}")
      string(TOUPPER ${CMAKE_MATCH_1} set)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${RIDGE_${set}_FLAGS}"
                                  SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# Batches for the unity build: files of one folder, so that a folder's anonymous names meet no other folder's, and about
# eight of them, so that there are enough batches to keep the cores busy.
function(ridge_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    list(APPEND folders ${folder})
    list(APPEND "sources_${folder}" ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(LENGTH "sources_${folder}" count)
    math(EXPR batches "(${count} + 7) / 8")
    set(index 0)
    foreach(source ${sources_${folder}})
      math(EXPR batch "${index} * ${batches} / ${count}")
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
      string(MAKE_C_IDENTIFIER "${name}_${batch}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
      math(EXPR index "${index} + 1")
    endforeach()
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
  list(FILTER sources EXCLUDE REGEX "${RIDGE_KERNEL_FILES}")
  ridge_batches(ridge_${name} ${sources})
  target_sources(ridge_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers})
  set_target_properties(ridge_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  get_property(below GLOBAL PROPERTY RIDGE_LAYERS)
  target_link_libraries(ridge_${name} PUBLIC ridge_flags ${below} ${layer_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY RIDGE_LAYERS ridge_${name})
endfunction()

# Writes all_operators() from the folders of src/ops: adding an operator edits no shared file.
function(ridge_operator_list)
  file(GLOB folders CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/ops/*/cases.cpp)
  set(declarations "")
  set(calls "")
  foreach(file ${folders})
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME op)
    string(APPEND declarations "OpInfo ${op}_info();\n")
    string(APPEND calls "${op}_info(), ")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/all_operators.cpp CONTENT
       "#include \"ops/case.h\"\n\nnamespace ridge {\n\n@declarations@\nstd::vector<OpInfo> all_operators() { return {@calls@}; }\n\n}  // namespace ridge\n" @ONLY)
  target_sources(ridge_ops PRIVATE ${CMAKE_BINARY_DIR}/all_operators.cpp)
  set_source_files_properties(${CMAKE_BINARY_DIR}/all_operators.cpp PROPERTIES UNITY_GROUP src_ops_0)
endfunction()

# One test binary a layer. From ops up, where kernels are chosen by CPU, it runs once for every CPU path; on a machine that
# lacks one, the binary says so and exits with 77 (tests/skips.md lists those).
set(RIDGE_CPU_PATHS portable avx2 avx512)
set(RIDGE_LAYERS_BELOW_OPS core formats sched text device)
function(ridge_tests)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/test-results)
  # What tests from the model layer up share.
  add_library(ridge_test_support STATIC ${CMAKE_SOURCE_DIR}/tests/support/random_model.cpp)
  target_link_libraries(ridge_test_support PUBLIC ridge_model)
  target_include_directories(ridge_test_support PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  get_property(layers GLOBAL PROPERTY RIDGE_LAYERS)
  foreach(target ${layers})
    string(REPLACE "ridge_" "" name ${target})
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_test.cpp)
    if(NOT tests)
      continue()
    endif()
    add_executable(${name}_test ${tests})
    target_include_directories(${name}_test PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_compile_definitions(${name}_test PRIVATE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    if(name IN_LIST RIDGE_LAYERS_BELOW_OPS)
      target_link_libraries(${name}_test PRIVATE ${target} GTest::gtest_main rapidcheck)
      ridge_add_test(${name} ${name}_test)
    else()
      target_sources(${name}_test PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/test_main.cpp)
      target_link_libraries(${name}_test PRIVATE ${target} GTest::gtest rapidcheck)
      if(NOT name STREQUAL ops)
        target_link_libraries(${name}_test PRIVATE ridge_test_support)
      endif()
      foreach(path ${RIDGE_CPU_PATHS})
        ridge_add_test(${name}_${path} ${name}_test)
        set_property(TEST ${name}_${path} APPEND PROPERTY ENVIRONMENT RIDGE_CPU_PATH=${path})
        set_tests_properties(${name}_${path} PROPERTIES SKIP_RETURN_CODE 77)
      endforeach()
    endif()
  endforeach()
endfunction()

# A line of ctest that leaves its cases in test-results/<name>.json (tools/test_results.py reads them) and has a folder of
# its own behind testing::TempDir(), since lines run side by side.
function(ridge_add_test name target)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/test-temporary/${name})
  add_test(NAME ${name} COMMAND ${target} --gtest_output=json:${CMAKE_BINARY_DIR}/test-results/${name}.json)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT TEST_TMPDIR=${CMAKE_BINARY_DIR}/test-temporary/${name})
endfunction()

# Every src/<layer>/**/x_fuzz.cpp is a libFuzzer target x_fuzz. tools/run_fuzzers.py runs them from the seeds in
# tests/data/fuzz/x and holds the share of lines they reach.
function(ridge_fuzzers)
  add_custom_target(fuzzers)
  get_property(layers GLOBAL PROPERTY RIDGE_LAYERS)
  foreach(layer ${layers})
    string(REPLACE "ridge_" "" name ${layer})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_fuzz.cpp)
    foreach(source ${sources})
      get_filename_component(target ${source} NAME_WE)
      add_executable(${target} ${source})
      target_link_libraries(${target} PRIVATE ${layer})
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
      add_dependencies(fuzzers ${target})
    endforeach()
  endforeach()
endfunction()
