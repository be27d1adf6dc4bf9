# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Tests whether a toolkit is whole: its nvcc compiles and links a program, using nothing of another
# toolkit. A positive answer is cached until one of the toolkit's parts changes.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/toolkit_places.cmake")

# Sets OUT to the release that the compiler at NVCC reports (X.Y), or to nothing if it cannot be
# run.
function(_archgrid_nvcc_release nvcc out)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE result)
  set(${out} "" PARENT_SCOPE)
  if(result EQUAL 0 AND text MATCHES "release ([0-9]+\\.[0-9]+)")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the folder, relative to ROOT, that contains the toolkit's libraries, or to nothing.
function(_archgrid_toolkit_library_folder root out)
  set(${out} "" PARENT_SCOPE)
  execute_process(COMMAND uname -m OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
  foreach(folder IN ITEMS "lib64" "lib" "targets/${machine}-linux/lib" "targets/sbsa-linux/lib")
    if(EXISTS "${root}/${folder}/libcudart_static.a")
      set(${out} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets <prefix>_REASON to the first part that the toolkit at ROOT with LIBRARIES lacks, or to
# nothing, <prefix>_FINGERPRINT to a text that changes with every part, and <prefix>_FLAGS and
# <prefix>_FILES like _archgrid_library_parts().
function(_archgrid_toolkit_parts root libraries prefix)
  set(${prefix}_REASON "" PARENT_SCOPE)
  _archgrid_toolkit_library_folder("${root}" lib)
  if(lib STREQUAL "")
    set(${prefix}_REASON "libcudart_static.a is missing" PARENT_SCOPE)
    return()
  endif()
  set(include "include")
  if(NOT EXISTS "${root}/include/cuda_runtime.h")
    string(REGEX REPLACE "lib$" "include" include "${lib}")
  endif()
  set(fingerprint "${CMAKE_VERSION}")
  foreach(part IN ITEMS bin/nvcc bin/nvcc.profile bin/cudafe++ bin/ptxas bin/fatbinary bin/nvlink nvvm/bin/cicc
      nvvm/libdevice/libdevice.10.bc ${lib}/libcudart_static.a ${lib}/libcudadevrt.a ${lib}/libcudart.so
      ${include}/cuda_runtime.h ${include}/cuda_runtime_api.h ${include}/cuda_fp16.h ${include}/crt/host_config.h)
    if(NOT EXISTS "${root}/${part}")
      set(${prefix}_REASON "${part} is missing" PARENT_SCOPE)
      return()
    endif()
    file(REAL_PATH "${root}/${part}" file)
    file(SIZE "${file}" size)
    file(TIMESTAMP "${file}" time "%s" UTC)
    string(APPEND fingerprint "\n${file} ${size} ${time}")
  endforeach()
  _archgrid_library_parts("${root}" "${lib}" "${include}" "${libraries}" library)
  set(${prefix}_REASON "${library_REASON}" PARENT_SCOPE)
  set(${prefix}_FINGERPRINT "${fingerprint}${library_FINGERPRINT}" PARENT_SCOPE)
  set(${prefix}_FLAGS "${library_FLAGS}" PARENT_SCOPE)
  set(${prefix}_FILES "${library_FILES}" PARENT_SCOPE)
endfunction()

# Sets OUT to an error if the linker's trace shows a runtime, or one of the libraries FILES, from
# outside the toolkit at ROOT, else to nothing.
function(_archgrid_foreign_runtime root trace files out)
  set(${out} "" PARENT_SCOPE)
  string(REGEX MATCHALL "[^ \n()]*/libcuda(rt_static|devrt)\\.a" libraries "${trace}")
  if(NOT libraries)
    set(${out} "the probe was linked without libcudart_static.a" PARENT_SCOPE)
  endif()
  foreach(name IN LISTS files)
    string(REGEX MATCHALL "[^ \n()]*/lib${name}\\.so" found "${trace}")
    if(NOT found)
      set(${out} "the probe was linked without lib${name}.so" PARENT_SCOPE)
    endif()
    list(APPEND libraries ${found})
  endforeach()
  foreach(library IN LISTS libraries)
    file(REAL_PATH "${library}" real)
    cmake_path(IS_PREFIX root "${real}" NORMALIZE inside)
    if(NOT inside)
      set(${out} "the probe was linked with another toolkit's ${real}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Compiles and links the probe with NVCC of the toolkit at ROOT over the host compiler CXX, with the
# libraries FILES by FLAGS. Sets OUT to the error, else to nothing.
function(_archgrid_compile_probe root nvcc cxx flags files out)
  set(${out} "" PARENT_SCOPE)
  string(RANDOM LENGTH 12 name)
  set(scratch "/tmp")
  if(NOT "$ENV{TMPDIR}" STREQUAL "")
    set(scratch "$ENV{TMPDIR}")
  endif()
  set(scratch "${scratch}/archgrid-probe-${name}")
  file(MAKE_DIRECTORY "${scratch}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env --unset=NVCC_PREPEND_FLAGS --unset=NVCC_APPEND_FLAGS
      "${nvcc}" -ccbin "${cxx}" -rdc=true -cudart static -Xlinker -t -o "${scratch}/probe"
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/probe.cu" -lcudadevrt ${flags}
    WORKING_DIRECTORY "${scratch}" OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(result EQUAL 0)
    _archgrid_foreign_runtime("${root}" "${output}" "${files}" reason)
    if(reason STREQUAL "")
      execute_process(COMMAND "${scratch}/probe" OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
      if(NOT result EQUAL 0)
        set(reason "the compiled probe does not start (${result}): ${output}")
      endif()
    endif()
  else()
    string(REGEX MATCHALL "[^\n]*(error|fatal|rror:|cannot|not found|died|denied)[^\n]*" complaints "${output}")
    list(JOIN complaints "\n    " complaints)
    string(SUBSTRING "${complaints}" 0 1200 complaints)
    set(reason "nvcc cannot compile and link a program (${result}):\n    ${complaints}")
  endif()
  file(REMOVE_RECURSE "${scratch}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reason why the toolkit around NVCC is not a whole toolkit of its release with
# LIBRARIES, with CXX as host compiler, or to nothing.
function(_archgrid_probe_toolkit nvcc cxx libraries out)
  set(${out} "" PARENT_SCOPE)
  cmake_path(GET nvcc PARENT_PATH root)
  cmake_path(GET root PARENT_PATH root)
  _archgrid_toolkit_parts("${root}" "${libraries}" parts)
  if(parts_REASON)
    set(${out} "${parts_REASON}" PARENT_SCOPE)
    return()
  endif()
  file(REAL_PATH "${cxx}" host)
  file(SIZE "${host}" size)
  file(TIMESTAMP "${host}" time "%s" UTC)
  set(fingerprint "${parts_FINGERPRINT}\n${host} ${size} ${time}\n")
  _archgrid_toolkit_cache(cache)
  string(SHA256 key "${fingerprint}")
  set(memory "${cache}/.probed/${key}")
  if(EXISTS "${memory}")
    return()
  endif()
  _archgrid_compile_probe("${root}" "${nvcc}" "${cxx}" "${parts_FLAGS}" "${parts_FILES}" reason)
  if(reason STREQUAL "")
    _archgrid_remember("${memory}" "${fingerprint}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
