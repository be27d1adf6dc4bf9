# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<file> -P detect_compilers.cmake
#
# Lets CMake detect a toolkit's compilers once, in a throw-away project, and keeps what it found as a
# seed that every cell of the toolkit is configured with (CMakeFiles/<version>/ and a few cache entries).
# The seed appears whole, by one rename. A failure is left for the cells to report: `<seed>.log`.
# Seeds are kept for other trees, too, beside the fetched toolkits (ARCHGRID_COMPILERS).
cmake_minimum_required(VERSION 3.25)
include("${CONFIG}") # detect_seed, detect_key, detect_kept, detect_archs, detect_ninja, detect_cache

if(EXISTS "${detect_seed}/seed.cmake")
  return()
endif()
get_filename_component(name "${detect_seed}" NAME)

# The work is a child's: what ends it early (a full disk, say) is a failure of this toolkit's cells, no others'.
if(NOT WORK)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCONFIG=${CONFIG}" -DWORK=ON -P "${CMAKE_CURRENT_LIST_FILE}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "[ \n]+" " " error "${error}")
    message(STATUS "${name}: failed: ${error}")
    file(APPEND "${detect_seed}.log" "FAILED: the detection of compilers ended with ${result}: ${error}\n")
  endif()
  return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/nvcc_environment.cmake")
_archgrid_drop_nvcc_flags() # as cells are built

# What else decides how CMake finds compilers and their tools, and what they do: part of a kept seed's name.
set(surroundings "")
foreach(variable IN ITEMS PATH CFLAGS CXXFLAGS LDFLAGS
    CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX CMAKE_PREFIX_PATH SYSROOT)
  string(APPEND surroundings "${variable}=$ENV{${variable}}|")
endforeach()
string(SHA256 surroundings "${CMAKE_ROOT}|${detect_key}|${surroundings}")
set(kept "${detect_kept}/${surroundings}")

# Copies the folder FROM to TO, which appears by one rename. Where TO cannot be written, that is only said: it spares
# work, nothing depends on it.
function(copy_whole from to)
  string(RANDOM LENGTH 8 aside)
  set(aside "${to}.${aside}.tmp")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}" "${aside}" RESULT_VARIABLE result ERROR_VARIABLE error)
  if(result EQUAL 0)
    file(RENAME "${aside}" "${to}" RESULT error)
  endif()
  file(REMOVE_RECURSE "${aside}")
  if(NOT EXISTS "${to}/seed.cmake") # another tree may have been quicker
    message(STATUS "${name}: not kept in ${to}: ${error}")
  endif()
endfunction()

# Replaces in FILE what the values `all` and `all-major` of CUDA_ARCHITECTURES mean by archs that this toolkit builds. A
# CMake older than the toolkit takes those of another: 3.25 begins at 35 and ends at 90 with CUDA 13, whose nvcc refuses 35.
function(correct_arch_lists file)
  set(majors "")
  foreach(arch IN LISTS detect_archs)
    string(REGEX REPLACE ".$" "" major "${arch}")
    if(NOT DEFINED first_of_${major})
      set(first_of_${major} "${arch}")
      list(APPEND majors "${arch}")
    endif()
  endforeach()
  file(READ "${file}" text)
  foreach(list IN ITEMS ALL ALL_MAJOR)
    set(archs "${detect_archs}")
    if(list STREQUAL "ALL_MAJOR")
      set(archs "${majors}")
    endif()
    list(POP_BACK archs last)
    list(TRANSFORM archs APPEND "-real")
    list(APPEND archs "${last}") # with PTX, as CMake has it
    string(REGEX REPLACE "(set\\(CMAKE_CUDA_ARCHITECTURES_${list} \")[^\"]*\"" "\\1${archs}\"" text "${text}")
  endforeach()
  file(WRITE "${file}" "${text}")
endfunction()

if(detect_kept AND EXISTS "${kept}/seed.cmake")
  copy_whole("${kept}" "${detect_seed}")
  if(EXISTS "${detect_seed}/seed.cmake")
    message(STATUS "${name}: the compilers are known from another tree")
    return()
  endif()
endif()
message(STATUS "${name}: detecting the compilers, once for all cells")
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
file(GLOB found "${scratch}/build/CMakeFiles/${CMAKE_VERSION}/*.cmake") # and not the programs that told it
file(COPY ${found} DESTINATION "${scratch}/seed/CMakeFiles/${CMAKE_VERSION}")
correct_arch_lists("${scratch}/seed/CMakeFiles/${CMAKE_VERSION}/CMakeCUDACompiler.cmake")
file(RENAME "${scratch}/build/seed.cmake" "${scratch}/seed/seed.cmake")
file(REMOVE_RECURSE "${detect_seed}")
file(RENAME "${scratch}/seed" "${detect_seed}")
file(REMOVE_RECURSE "${scratch}")
if(detect_kept)
  copy_whole("${detect_seed}" "${kept}")
endif()
