# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Shared code of the end-to-end cases. A case is a script <case>.cmake that builds real trees with
# real toolkits below WORK and checks the output of cmake, ninja and ctest. ctest runs it with
#   cmake -DCASE=<case> -DWORK=<folder> -DROOT=<repository> -DBUILD=<tree of the tests>
#     -DCOMMAND=<archgrid> -DNINJA=<ninja> -P e2e.cmake
# Each planted defect has a counterpart without it, which must pass.
cmake_minimum_required(VERSION 3.25)
set(CTEST "${CMAKE_CTEST_COMMAND}")
set(E2E "${CMAKE_CURRENT_LIST_DIR}")
# For cases that build archgrid's own host code: see harness/CMakeLists.txt.
set(ENV{ARCHGRID_WERROR} ON)

# e2e_cache_compilations([<root of a toolkit>]): lets projects that a case configures itself compile
# through ccache, similar to cells without sccache.
macro(e2e_cache_compilations)
  include("${ROOT}/cmake-modules/archgrid/detail/compiler_cache.cmake")
  include("${ROOT}/tests/ccache.cmake")
  find_program(ARCHGRID_TESTS_CCACHE ccache)
  if(ARCHGRID_TESTS_CCACHE)
    set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "env;CCACHE_COMPILERCHECK=content;${ARCHGRID_TESTS_CCACHE}")
  endif()
  if("${ARGC}" GREATER 0)
    _archgrid_toolkit_fingerprint("${ARGV0}" "" fingerprint)
    archgrid_tests_ccache_nvcc("${fingerprint}" launcher)
    set(ENV{CMAKE_CUDA_COMPILER_LAUNCHER} "${launcher}")
  endif()
endmacro()

# e2e_cache_by_hand(): runs nvcc of CUDA 13.5 through ccache in projects that put $ENV{BY_HAND}
# before nvcc.
function(e2e_cache_by_hand)
  include("${ROOT}/cmake-modules/ArchGrid.cmake")
  archgrid_find_toolkit(13.5 RESULT toolkit)
  archgrid_find_host_compiler(13.5 RESULT host)
  _archgrid_toolkit_fingerprint("${toolkit_ROOT}" "${host_CXX}" fingerprint)
  include("${ROOT}/tests/ccache.cmake")
  archgrid_tests_ccache_nvcc("${fingerprint}" launcher)
  if(NOT launcher)
    # Without ccache, which ./setup --dev installs, nvcc is called directly.
    return()
  endif()
  list(JOIN launcher " " words)
  set(ENV{BY_HAND_LAUNCHER} "${words}")
  set(ENV{BY_HAND} "sh;${E2E}/support/by_hand.sh")
endfunction()

# Runs a command in WORK and sets `output` (stdout and stderr) and `result` in the caller.
function(e2e_run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${WORK}"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE code)
  set(output "${text}" PARENT_SCOPE)
  set(result "${code}" PARENT_SCOPE)
endfunction()

# e2e_expect(<pass|fail> [MATCH <regex>...] [WITHOUT <regex>...]): checks the last command. Tries
# MATCH on the original output and on the output with white space folded.
function(e2e_expect outcome)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "MATCH;WITHOUT")
  set(wrong "")
  if(outcome STREQUAL "pass" AND NOT result STREQUAL "0" OR outcome STREQUAL "fail" AND result STREQUAL "0")
    set(wrong "expected it to ${outcome}; it exited with ${result}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " folded "${output}") # CMake wraps messages
  foreach(regex IN LISTS arg_MATCH)
    if(NOT output MATCHES "${regex}" AND NOT folded MATCHES "${regex}")
      string(APPEND wrong "\n  no match for: ${regex}")
    endif()
  endforeach()
  foreach(regex IN LISTS arg_WITHOUT)
    if(output MATCHES "${regex}")
      string(APPEND wrong "\n  should not match: ${regex}")
    endif()
  endforeach()
  if(wrong)
    message("${output}") # not in the error itself, which CMake would wrap
    message(FATAL_ERROR "${wrong}")
  endif()
endfunction()

# e2e_tree(<name> MATRIX <json> SOURCE <folder> [DEFINITIONS <K=V>...] [BUILD_COMMAND <word>...]
# [ARGUMENTS <cmake argument>...]) writes WORK/<name>, a project that builds the matrix from SOURCE,
# with archgrid's own device presets, and configures it into WORK/<name>/build/matrix. Sets TREE to
# that, and PROJECT to the project's folder.
function(e2e_tree name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MATRIX;SOURCE" "DEFINITIONS;BUILD_COMMAND;ARGUMENTS")
  set(project "${WORK}/${name}")
  list(JOIN arg_DEFINITIONS "]==] [==[" definitions)
  set(command "")
  if(arg_BUILD_COMMAND)
    list(JOIN arg_BUILD_COMMAND "]==] [==[" command)
    set(command " COMMAND [==[${command}]==]")
    string(REPLACE " [==[INCREMENTAL]==]" " INCREMENTAL" command "${command}")
  endif()
  file(WRITE "${project}/matrices/default.json" "${arg_MATRIX}")
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(e2e NONE)
enable_testing()
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_add_matrix(MATRIX \"\${ARCHGRID_MATRIX}\" SOURCE [==[${arg_SOURCE}]==]${command} DEFINITIONS [==[${definitions}]==])
")
  file(COPY "${ROOT}/CMakePresets.json" DESTINATION "${project}")
  file(COPY "${ROOT}/cmake-modules/presets" DESTINATION "${project}/cmake-modules")
  e2e_run("${CMAKE_COMMAND}" --preset default -S "${project}" "-DARCHGRID_COMMAND=${COMMAND}" ${arg_ARGUMENTS})
  set(PROJECT "${project}" PARENT_SCOPE)
  set(TREE "${project}/build/matrix" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

# e2e_build(<target>) runs Ninja in TREE. e2e_ctest(<argument>...) runs ctest in PROJECT, for
# presets.
macro(e2e_build target)
  e2e_run("${NINJA}" -C "${TREE}" "${target}")
endmacro()
macro(e2e_ctest)
  execute_process(COMMAND "${CTEST}" ${ARGV} WORKING_DIRECTORY "${PROJECT}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
endmacro()

# Sets OUT to the text of a matrix file: one toolkit, its archs, and 9.0 (or DEVICES) promised.
function(e2e_matrix out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CUDA" "ARCHS;DEVICES;CELLS;ACCEPT")
  foreach(list IN ITEMS ARCHS DEVICES CELLS ACCEPT)
    list(TRANSFORM arg_${list} REPLACE "(.+)" "\"\\1\"")
    list(JOIN arg_${list} ", " ${list})
  endforeach()
  set(${out} "{
  \"name\": \"e2e\",
  \"toolkits\": [{\"cuda\": \"${arg_CUDA}\", \"archs\": [${ARCHS}]}],
  \"cells\": [${CELLS}],
  \"promises\": [{\"devices\": [${DEVICES}], \"accept\": [${ACCEPT}]}]
}
" PARENT_SCOPE)
endfunction()

# e2e_refuses(<name> <lines> <regex>): checks that a project which includes archgrid and has these
# lines does not configure, and that the message matches.
function(e2e_refuses name lines regex)
  file(WRITE "${WORK}/${name}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(refused NONE)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
${lines}
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/${name}" -B "${WORK}/${name}/build" "-DARCHGRID_COMMAND=${COMMAND}")
  e2e_expect(fail MATCH "${regex}")
endfunction()

# e2e_copy_toolkit(<from> <to>): puts a toolkit's files into the new folder TO. They are hard links
# if the file system allows it: a case may delete or replace them, but must never modify them.
function(e2e_copy_toolkit from to)
  execute_process(COMMAND cp -al "${from}" "${to}" RESULT_VARIABLE code ERROR_QUIET)
  if(NOT code EQUAL 0)
    file(REMOVE_RECURSE "${to}") # cp made folders before it failed
    execute_process(COMMAND cp -a "${from}" "${to}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

# e2e_copy_sources(<folder>): copies to FOLDER the parts of archgrid that a project includes. ccache
# looks up host code by paths relative to the build tree, so a tree two folders below FOLDER reuses
# objects of the tests' tree.
function(e2e_copy_sources folder)
  file(COPY "${ROOT}/CMakeLists.txt" "${ROOT}/LICENSE" "${ROOT}/cmake-modules" "${ROOT}/harness" "${ROOT}/matrices"
    DESTINATION "${folder}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
get_filename_component(all_cases "${WORK}" DIRECTORY)
# Ignores the user's folders, and detects the compilers once for all cases.
set(ENV{ARCHGRID_COMPILERS} "${all_cases}/compilers")
set(ENV{ARCHGRID_COMMANDS} "${all_cases}/commands")
include("${E2E}/${CASE}.cmake")
