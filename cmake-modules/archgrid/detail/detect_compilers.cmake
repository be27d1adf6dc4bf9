# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<file> -P detect_compilers.cmake
#
# Lets CMake detect a toolkit's compilers once, in a throw-away project, and stores the results as a
# seed with which every cell of the toolkit is configured (CMakeFiles/<version>/ and a few cache
# entries). The seed appears complete, by one rename. Cells report a failure: `<seed>.log`. Other
# trees reuse seeds from a folder beside the fetched toolkits (ARCHGRID_COMPILERS).
cmake_minimum_required(VERSION 3.25)
# Sets detect_seed, detect_key, detect_kept, detect_archs, detect_ninja and detect_cache.
include("${CONFIG}")

if(EXISTS "${detect_seed}/seed.cmake")
  return()
endif()
get_filename_component(name "${detect_seed}" NAME)

# A child process does the work: an error that ends it early (a full disk, say) then fails only this
# toolkit's cells.
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
_archgrid_drop_nvcc_flags() # as for building cells

# Further inputs that decide how CMake finds compilers and their tools, and what these do: part of a
# stored seed's name.
set(surroundings "")
foreach(variable IN ITEMS PATH CFLAGS CXXFLAGS LDFLAGS
    CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX CMAKE_PREFIX_PATH SYSROOT)
  string(APPEND surroundings "${variable}=$ENV{${variable}}|")
endforeach()
string(SHA256 surroundings "${CMAKE_ROOT}|${detect_key}|${surroundings}")
set(kept "${detect_kept}/${surroundings}")

# Copies the folder FROM to TO, which appears by one rename. Only prints a message about NAME if TO
# cannot be written: the copy saves work, and nothing depends on it.
function(copy_whole name from to)
  string(RANDOM LENGTH 8 aside)
  set(aside "${to}.${aside}.tmp")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}" "${aside}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(result EQUAL 0)
    file(RENAME "${aside}" "${to}" RESULT error)
  endif()
  file(REMOVE_RECURSE "${aside}")
  if(NOT EXISTS "${to}/seed.cmake") # another tree may have been faster
    message(STATUS "${name}: not kept in ${to}: ${error}")
  endif()
endfunction()

# Replaces in FILE the meaning of the CUDA_ARCHITECTURES values `all` and `all-major` by ALL_ARCHS,
# those that this toolkit builds. A CMake older than the toolkit uses those of another: CMake 3.25
# takes 35 to 90 for CUDA 13, whose nvcc rejects 35.
function(correct_arch_lists all_archs file)
  set(majors "")
  foreach(arch IN LISTS all_archs)
    string(REGEX REPLACE ".$" "" major "${arch}")
    if(NOT DEFINED first_of_${major})
      set(first_of_${major} "${arch}")
      list(APPEND majors "${arch}")
    endif()
  endforeach()
  file(READ "${file}" text)
  foreach(list IN ITEMS ALL ALL_MAJOR)
    set(archs "${all_archs}")
    if(list STREQUAL "ALL_MAJOR")
      set(archs "${majors}")
    endif()
    list(POP_BACK archs last)
    list(TRANSFORM archs APPEND "-real")
    list(APPEND archs "${last}") # with PTX, as CMake does
    string(REGEX REPLACE "(set\\(CMAKE_CUDA_ARCHITECTURES_${list} \")[^\"]*\"" "\\1${archs}\"" text "${text}")
  endforeach()
  file(WRITE "${file}" "${text}")
endfunction()

if(detect_kept AND EXISTS "${kept}/seed.cmake")
  copy_whole("${name}" "${kept}" "${detect_seed}")
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
# Cells need more than the files that CMake stores. Only detection sets the executable format, which
# install rules and shared libraries need, and the binary utilities (CMAKE_STRIP, CMAKE_OBJCOPY,
# ...). The seed also has a result for which every FindCUDAToolkit would compile a program.
file(GLOB found "${scratch}/build/CMakeFiles/${CMAKE_VERSION}/*.cmake") # not their probe programs
file(COPY ${found} DESTINATION "${scratch}/seed/CMakeFiles/${CMAKE_VERSION}")
correct_arch_lists("${detect_archs}" "${scratch}/seed/CMakeFiles/${CMAKE_VERSION}/CMakeCUDACompiler.cmake")
file(RENAME "${scratch}/build/seed.cmake" "${scratch}/seed/seed.cmake")
file(REMOVE_RECURSE "${detect_seed}")
file(RENAME "${scratch}/seed" "${detect_seed}")
file(REMOVE_RECURSE "${scratch}")
if(detect_kept)
  copy_whole("${name}" "${detect_seed}" "${kept}")
endif()
