# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a matrix file with a library builds with the toolkit that has it, and links that
# toolkit's own. If none has it, the cells are impossible, and the message names the fix. The
# library is a stand-in, so no network is needed.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT base)
set(toolkits "${WORK}/toolkits")
file(MAKE_DIRECTORY "${toolkits}")
foreach(folder IN ITEMS cuda-13.5 cuda-13.5-cublas)
  e2e_copy_toolkit("${base_ROOT}" "${toolkits}/${folder}")
endforeach()
set(own "${toolkits}/cuda-13.5-cublas")
# Removing a file first breaks its hard link to the toolkit's own.
file(REMOVE "${own}/include/cublas_v2.h" "${own}/lib/libcublas.so.13" "${own}/lib/libcublasLt.so.13"
  "${own}/lib/libculibos.a")
file(WRITE "${own}/include/cublas_v2.h" "#include <library_types.h>
#ifdef __cplusplus
extern \"C\"
#endif
int cublasGetProperty(libraryPropertyType type, int* value);\n")
file(WRITE "${WORK}/cublas.c" "int cublasGetProperty(int type, int* value) { (void)type; return *value = 1351; }\n")
foreach(library IN ITEMS cublas cublasLt)
  execute_process(COMMAND gcc -shared -fPIC "-Wl,-soname,lib${library}.so.13"
    -o "${own}/lib/lib${library}.so.13" "${WORK}/cublas.c"
    COMMAND_ERROR_IS_FATAL ANY)
  file(CREATE_LINK "lib${library}.so.13" "${own}/lib/lib${library}.so" SYMBOLIC)
endforeach()
# CUDA::cublas also links culibos, if that exists.
execute_process(COMMAND ar rcs "${own}/lib/libculibos.a" COMMAND_ERROR_IS_FATAL ANY)
set(ENV{ARCHGRID_TOOLKITS} "${toolkits}")
unset(ENV{LD_LIBRARY_PATH})

function(matrix_with out libraries)
  set(${out}
    "{\"name\": \"blas\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"90\"]}], \"libraries\": [${libraries}],
    \"cells\": [\"fat\"], \"promises\": [{\"devices\": [\"9.0\"]}]}" PARENT_SCOPE)
endfunction()

matrix_with(matrix [["cublas"]])
e2e_tree(has MATRIX "${matrix}" SOURCE "${E2E}/blas")
e2e_expect(pass WITHOUT "impossible")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_run("${CTEST}" --test-dir "${TREE}" -V)
e2e_expect(pass MATCH "cuBLAS 1351" "100% tests passed")
e2e_run("${NINJA}" -C "${TREE}/cells/cu135-fat" -t commands blas)
e2e_expect(pass MATCH "toolkits/cuda-13\\.5-cublas/lib[^ ]*/libcublas\\.so")
string(REGEX MATCHALL "[^ \"]*libcu[^ \"]*\\.(so|a)" linked "${output}")
foreach(file IN LISTS linked)
  file(REAL_PATH "${file}" file)
  cmake_path(IS_PREFIX own "${file}" NORMALIZE is_own)
  if(NOT is_own)
    message(FATAL_ERROR "${file} is linked, which is not in ${own}")
  endif()
endforeach()

matrix_with(matrix [["cublas", "cusparse"]])
e2e_tree(lacks MATRIX "${matrix}" SOURCE "${E2E}/blas")
e2e_expect(pass MATCH "impossible cells: CUDA 13.5 with cublas, cusparse is not on this machine"
  "cuda-13.5-?[a-z]*/bin/nvcc is CUDA 13.5, but not whole: it has no"
  "get it with /[^ ]*/setup --matrix FILE, or archgrid_fetch_toolkit.13.5 LIBRARIES cublas cusparse.")
e2e_build(matrix)
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed")
