# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<file> -P detect_compilers.cmake
#
# Lets CMake detect a toolkit's compilers once, in a throw-away project, and keeps what it found as a
# seed that every cell of the toolkit is configured with (CMakeFiles/<version>/ and a few cache entries).
# The seed appears whole, by one rename. A failure is left for the cells to report: `<seed>.log`.
cmake_minimum_required(VERSION 3.25)
include("${CONFIG}") # detect_seed, detect_ninja, detect_cache

if(EXISTS "${detect_seed}/seed.cmake")
  return()
endif()
get_filename_component(name "${detect_seed}" NAME)
message(STATUS "${name}: detecting the compilers, once for all its cells")
set(scratch "${detect_seed}.tmp")
file(REMOVE_RECURSE "${scratch}")
file(WRITE "${scratch}/source/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(detect LANGUAGES C CXX CUDA)
find_package(Threads)
file(WRITE \"\${CMAKE_BINARY_DIR}/seed.cmake\" \"set(CMAKE_PLATFORM_INFO_INITIALIZED 1 CACHE INTERNAL [[]])
set(CMAKE_EXECUTABLE_FORMAT [[\${CMAKE_EXECUTABLE_FORMAT}]] CACHE INTERNAL [[]])
set(CMAKE_HAVE_LIBC_PTHREAD [[\${CMAKE_HAVE_LIBC_PTHREAD}]] CACHE INTERNAL [[]])
\")
foreach(tool IN ITEMS ADDR2LINE AR DLLTOOL LINKER NM OBJCOPY OBJDUMP RANLIB READELF STRIP TAPI
    C_COMPILER_AR C_COMPILER_RANLIB CXX_COMPILER_AR CXX_COMPILER_RANLIB CUDA_COMPILER_AR CUDA_COMPILER_RANLIB)
  if(DEFINED CACHE{CMAKE_\${tool}})
    file(APPEND \"\${CMAKE_BINARY_DIR}/seed.cmake\" \"set(CMAKE_\${tool} [[\$CACHE{CMAKE_\${tool}}]] CACHE FILEPATH [[]])\n\")
  endif()
endforeach()
")
file(WRITE "${scratch}/cache.cmake" "${detect_cache}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -C "${scratch}/cache.cmake" -G Ninja "-DCMAKE_MAKE_PROGRAM=${detect_ninja}"
    -S "${scratch}/source" -B "${scratch}/build"
  OUTPUT_FILE "${detect_seed}.log" ERROR_FILE "${detect_seed}.log" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  file(REMOVE_RECURSE "${scratch}")
  message(STATUS "${name}: failed, see ${detect_seed}.log")
  return()
endif()
# Beside what CMake keeps in files: the executable format, which it sets only while detecting and which
# install rules and shared libraries need; the binary utilities (CMAKE_STRIP, CMAKE_OBJCOPY, ...), likewise; and
# what every FindCUDAToolkit compiles a program to learn.
file(MAKE_DIRECTORY "${scratch}/seed/CMakeFiles")
file(RENAME "${scratch}/build/CMakeFiles/${CMAKE_VERSION}" "${scratch}/seed/CMakeFiles/${CMAKE_VERSION}")
file(RENAME "${scratch}/build/seed.cmake" "${scratch}/seed/seed.cmake")
file(REMOVE_RECURSE "${detect_seed}")
file(RENAME "${scratch}/seed" "${detect_seed}")
file(REMOVE_RECURSE "${scratch}")
