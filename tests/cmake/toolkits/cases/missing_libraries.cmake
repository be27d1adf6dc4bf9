# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the reason of a failed cell names libraries of NVIDIA that its toolkit lacks, and the
# remedy.
include("${ARCHGRID_MODULES}/archgrid/detail/first_error.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/missing_libraries.cmake")
set(toolkit "${CASE_BINARY}/toolkit")
file(WRITE "${toolkit}/include/cusparse.h" "")
file(WRITE "${toolkit}/lib64/libcusparse.so.12" "")
file(WRITE "${toolkit}/include/cufft.h" "") # without the library

function(expect advice error)
  _archgrid_missing_libraries("${error}" "${toolkit}" found)
  if(NOT found STREQUAL advice)
    message(FATAL_ERROR "of \"${error}\" expected \"${advice}\", found \"${found}\"")
  endif()
endfunction()

set(cublas ": write \"libraries\": [\"cublas\"] into the matrix file")
expect("${cublas}" "Target \"app\" links to: CUDA::cublas but the target was not found.")
expect("${cublas}" "Target \"app\" links to: CUDA::cublasLt but the target was not found.")
# Static ones are not fetched.
expect("" "Target \"app\" links to: CUDA::cublasLt_static but the target was not found.")
expect("${cublas}" "what it needs was not found: CUDA_cublas_LIBRARY")
expect("${cublas}" "app.cu:3:10: fatal error: cublas_v2.h: No such file or directory")
expect("${cublas}" "/usr/bin/ld: cannot find -lcublas: No such file or directory")
expect(": write \"libraries\": [\"cublas\", \"cufft\"] into the matrix file"
  "what it needs was not found: CUDA_cublas_LIBRARY, CUDA_cufft_LIBRARY")
expect("" "/usr/bin/ld: cannot find -lcusparse: No such file or directory") # the toolkit has it
expect("" "/usr/bin/ld: cannot find -lcublas_helpers: No such file or directory")
expect("" "app.cu:3:10: fatal error: mycublas_v2.h: No such file or directory")
expect("" "app.cu:3:10: error: identifier \"x\" is undefined")

# FindCUDA lists what it did not find on separate lines.
set(log "CMake Error: The following variables are used in this project, but they are set to NOTFOUND.
Please set them or make sure they are set and tested correctly in the CMake files:
CUDA_cublas_LIBRARY (ADVANCED)
    linked by target \"app\" in directory /src
MINE
    linked by target \"app\" in directory /src

-- Generating done
")
_archgrid_first_configure_error("${log}" "" error)
if(NOT error STREQUAL "what it needs was not found: CUDA_cublas_LIBRARY, MINE")
  message(FATAL_ERROR "the first error is said to be \"${error}\"")
endif()
