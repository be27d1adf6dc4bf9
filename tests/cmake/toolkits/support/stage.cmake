# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Shared code of the cases: a separate folder of toolkits, a separate PATH and programs on it,
# queries to the modules in a new process, and expectations.
#
# stage_toolkit() needs a whole CUDA 13.5 on this machine, which `./setup --dev` provides.
set(stage_support "${CMAKE_CURRENT_LIST_DIR}")
set(stage_bin "${CASE_BINARY}/bin")
set(stage_toolkits "${CASE_BINARY}/toolkits")
file(MAKE_DIRECTORY "${stage_bin}" "${stage_toolkits}")

# Puts a whole toolkit at FOLDER. Its files are hard links: a case may delete or replace them, but
# must never modify them.
function(stage_toolkit folder)
  include("${ARCHGRID_MODULES}/archgrid/find_toolkit.cmake")
  archgrid_find_toolkit(13.5 RESULT real)
  if(NOT real_FOUND)
    message(FATAL_ERROR "needs CUDA 13.5; run ./setup --dev. ${real_REASON}")
  endif()
  execute_process(COMMAND cp -al "${real_ROOT}" "${folder}" RESULT_VARIABLE result ERROR_QUIET)
  if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${folder}")
    execute_process(COMMAND cp -a "${real_ROOT}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

# Truncates FILE to its first 4096 bytes, like an interrupted download.
function(truncate_file file)
  execute_process(COMMAND sh -ec
    "head -c 4096 \"$1\" >\"$1.part\"; chmod 755 \"$1.part\"; mv \"$1.part\" \"$1\"" sh "${file}"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Puts an sccache where ./setup stores the one that it fetches.
function(stage_sccache)
  include("${ARCHGRID_MODULES}/archgrid/detail/sccache.cmake")
  _archgrid_sccache_folder(folder)
  cmake_path(GET folder FILENAME name)
  file(WRITE "${stage_toolkits}/${name}/bin/sccache" "")
endfunction()

# Puts a shell script NAME with the lines of TEXT first on the PATH of ask().
function(stage_program name text)
  file(WRITE "${stage_bin}/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${stage_bin}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# Puts a compiler NAME on the PATH that reports to be ID (gcc or clang) MAJOR.
function(stage_compiler name id major)
  set(macro "#define __GNUC__ ${major}")
  if(id STREQUAL "clang")
    set(macro "#define __clang_major__ ${major}")
  endif()
  stage_program("${name}" "echo '${macro}'")
endfunction()

# Adds the package nvidia-NAME of a library to the index of stage_pip(): HEADER, and a shared
# library for each of ARGN.
function(stage_library name header)
  set(package "${CASE_BINARY}/libraries/${name}")
  file(WRITE "${package}/include/${header}" "\n")
  file(MAKE_DIRECTORY "${package}/lib")
  file(WRITE "${CASE_BINARY}/${name}.c" "void answer(void) {}\n")
  foreach(file IN LISTS ARGN)
    execute_process(COMMAND gcc -shared -fPIC "-Wl,-soname,lib${file}.so.13"
      -o "${package}/lib/lib${file}.so.13" "${CASE_BINARY}/${name}.c"
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()

# Stages a python3 whose pip installs a copy of the toolkit below ${CASE_BINARY}/index, without the
# two links, or the requested staged libraries. pip runs the shell lines in ARGN first; $target is
# the folder into which it installs.
function(stage_pip)
  list(JOIN ARGN "\n" before)
  stage_program(python3 "[ \"$3\" = --version ] && exit 0
while [ $# -gt 0 ]; do
  [ \"$1\" = --target ] && target=$2
  [ \"$1\" = --requirement ] && requirement=$2
  shift
done
echo run >>'${CASE_BINARY}/pip.log'
${before}
mkdir -p \"$target/nvidia\"
case $requirement in *-libraries.txt)
  mkdir \"$target/nvidia/cu13\"
  for library in '${CASE_BINARY}'/libraries/*; do
    grep -q \"^nvidia-$(basename \"$library\")==\" \"$requirement\" && cp -a \"$library/.\" \"$target/nvidia/cu13\"
  done
  exit 0 ;;
esac
cp -al '${CASE_BINARY}/index' \"$target/nvidia/cu13\"
rm \"$target/nvidia/cu13/lib64\" \"$target/nvidia/cu13/lib/libcudart.so\"")
endfunction()

# ask(<prefix> <find|fetch|host> <X.Y> [LIBRARIES <name>...] [PATH <path>] [REQUESTED <compiler>])
#
# Queries the modules in a new process that sees only the toolkits of ${stage_toolkits}. Sets
# <prefix>_RESULT to the exit status, and <prefix>_TEXT to the whole output; answers are lines such
# as `FOUND=TRUE`.
function(ask prefix question version)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "PATH;REQUESTED" "LIBRARIES")
  if(NOT arg_PATH)
    set(arg_PATH "${stage_bin}:$ENV{PATH}")
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PATH=${arg_PATH}" "ARCHGRID_TOOLKITS=${stage_toolkits}"
      "${CMAKE_COMMAND}" "-DARCHGRID_MODULES=${ARCHGRID_MODULES}" "-DQUESTION=${question}" "-DVERSION=${version}"
      "-DREQUESTED=${arg_REQUESTED}" "-DLIBRARIES=${arg_LIBRARIES}" -P "${stage_support}/ask.cmake"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  # CMake wraps the lines of messages.
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${prefix}_RESULT "${result}" PARENT_SCOPE)
  set(${prefix}_TEXT "${text}" PARENT_SCOPE)
endfunction()

# Runs ./setup with the arguments ARGN and the staged PATH. Sets <prefix>_RESULT and <prefix>_TEXT
# like ask().
function(ask_setup prefix)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PATH=${stage_bin}:$ENV{PATH}" "ARCHGRID_TOOLKITS=${stage_toolkits}"
      "${ARCHGRID_SOURCE}/setup" ${ARGN}
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${prefix}_RESULT "${result}" PARENT_SCOPE)
  set(${prefix}_TEXT "${text}" PARENT_SCOPE)
endfunction()

# Fails unless the query PREFIX of ask() succeeded (RESULT 0) or failed (RESULT 1), and its text
# matches all of ARGN.
function(expect prefix result)
  if(NOT ${prefix}_RESULT STREQUAL result)
    message(FATAL_ERROR "expected exit status ${result}, got ${${prefix}_RESULT}: ${${prefix}_TEXT}")
  endif()
  foreach(pattern IN LISTS ARGN)
    if(NOT ${prefix}_TEXT MATCHES "${pattern}")
      message(FATAL_ERROR "expected \"${pattern}\" in: ${${prefix}_TEXT}")
    endif()
  endforeach()
endfunction()

# Fails unless the folder of toolkits contains exactly the visible and partial trees ARGN.
function(expect_trees)
  file(GLOB trees RELATIVE "${stage_toolkits}" "${stage_toolkits}/cuda-*" "${stage_toolkits}/.partial-*")
  if(NOT "${trees}" STREQUAL "${ARGN}")
    message(FATAL_ERROR "expected the trees \"${ARGN}\", found \"${trees}\"")
  endif()
endfunction()

# Fails unless the pip of stage_pip() has run COUNT times.
function(expect_runs count)
  file(STRINGS "${CASE_BINARY}/pip.log" runs)
  list(LENGTH runs found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "expected pip to have run ${count} times, not ${found}")
  endif()
endfunction()
