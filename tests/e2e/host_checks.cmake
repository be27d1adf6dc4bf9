# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a kernel that does nothing on 7.5: an error if host code launches it there, and a suspect
# if host code reads the compute capability first.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
archgrid_find_host_compiler(13.5 RESULT host)

file(WRITE "${WORK}/library.cu" [[
#include <cuda_runtime.h>
__global__ void plain(float* x) { x[0] = 1; }
__global__ void other(float* x) { x[1] = 1; }
__global__ void for_newer_gpus(float* x) {
#if __CUDA_ARCH__ >= 800
  x[2] = 1;
#endif
}
extern "C" void run(float* x) {
  plain<<<1, 1>>>(x);
  other<<<1, 1>>>(x);
#ifdef CHECKED
  int device = 0;
  int major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major < 8) return;
#endif
  for_newer_gpus<<<1, 1>>>(x);
}
]])

# Compiles the library with nvcc options to <name>.so and audits it.
function(audit_library name)
  set(flags -shared -Xcompiler -fPIC -cudart shared -O2)
  foreach(arch IN ITEMS 75 80 90)
    list(APPEND flags -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  e2e_run("${toolkit_NVCC}" -ccbin "${host_CXX}" ${flags} ${ARGN} library.cu -o ${name}.so)
  e2e_expect(pass)
  e2e_run("${COMMAND}" audit ${name}.so --suspects)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

audit_library(unchecked)
e2e_expect(fail MATCH "empty: unchecked.so: for_newer_gpus" "on 7.5 [^\n]* its body is empty"
  "coverage uneven: 1 error in 1 of 3 kernels on 7.5" WITHOUT "suspect")
audit_library(checked -DCHECKED)
e2e_expect(pass MATCH
  "suspect empty: checked.so: for_newer_gpus does nothing on 7.5 .*: host code checks the GPU and does not launch it there"
  "no errors: 3 kernels" WITHOUT "[0-9] error")
e2e_run("${COMMAND}" audit checked.so --strict)
e2e_expect(fail MATCH "coverage uneven: 1 error in 1 of 3 kernels on 7.5")
