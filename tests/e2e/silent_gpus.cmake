# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a kernel whose `#if __CUDA_ARCH__` removes its body below 9.0, in a file of its own: on a
# GPU that takes that code, launches succeed and do nothing.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
archgrid_find_host_compiler(13.5 RESULT host)

file(WRITE "${WORK}/scale.cu" [[
__global__ void scale(float* p) {
#if __CUDA_ARCH__ >= 900
  p[threadIdx.x] *= 2;
#endif
}
void run(float* p) { scale<<<1, 32>>>(p); }
]])

# Compiles the library with nvcc options to <name>.so and asks about a GPU.
function(ask name gpu)
  e2e_run("${toolkit_NVCC}" -ccbin "${host_CXX}" -shared -Xcompiler -fPIC -cudart shared ${ARGN} scale.cu
    -o ${name}.so)
  e2e_expect(pass)
  e2e_run("${COMMAND}" audit ${name}.so --gpu ${gpu})
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

set(for_80 -gencode arch=compute_80,code=sm_80)
set(for_90a -gencode arch=compute_90a,code=[compute_90a,sm_90a])
set(ptx_80 -gencode arch=compute_80,code=compute_80)

ask(lone A100 ${for_80} ${for_90a})
e2e_expect(fail MATCH "empty: lone.so: scale" "does nothing on A100 \\(8.0\\): 1 error" WITHOUT "runs on")
ask(lone H100 ${for_80} ${for_90a})
e2e_expect(pass MATCH "runs on H100 \\(9.0\\)")

# 10.0 cannot take the code for 90a, and compiles the PTX for 80.
ask(suffix B200 ${ptx_80} ${for_90a})
e2e_expect(fail MATCH "the driver compiles compute_80 PTX, in which its body is empty"
  "fix: compile scale.cu for 100 too" "does nothing on B200 \\(10.0\\)" WITHOUT "wrong-suffix" "file-lacks-arch")
e2e_run("${COMMAND}" audit suffix.so --gpu B200 --accept native,jit)
e2e_expect(fail MATCH "empty: suffix.so: scale on 10.0" "its compute_80 body is empty" WITHOUT "wrong-suffix")
ask(fixed B200 ${ptx_80} ${for_90a} -gencode arch=compute_100,code=sm_100)
e2e_expect(pass MATCH "runs on B200 \\(10.0\\)")

# An upper bound leaves two of three bodies empty on 9.0. The baseline, and a question about 9.0,
# miss them.
file(WRITE "${WORK}/three.cu" [[
#if __CUDA_ARCH__ >= 900 && defined(BOUNDED)
#define WORK(body)
#else
#define WORK(body) body
#endif
__global__ void add(float* p) { WORK(p[threadIdx.x] += 1;) }
__global__ void halve(float* p) { WORK(p[threadIdx.x] /= 2;) }
__global__ void negate(float* p) { p[threadIdx.x] = -p[threadIdx.x]; }
void run(float* p) { add<<<1, 32>>>(p); halve<<<1, 32>>>(p); negate<<<1, 32>>>(p); }
]])
foreach(build IN ITEMS old new)
  file(MAKE_DIRECTORY "${WORK}/${build}")
  set(bounded)
  if(build STREQUAL "new")
    set(bounded -DBOUNDED)
  endif()
  e2e_run("${toolkit_NVCC}" -ccbin "${host_CXX}" -shared -Xcompiler -fPIC -cudart shared ${for_80}
    -gencode arch=compute_90,code=sm_90 ${bounded} three.cu -o ${build}/three.so)
  e2e_expect(pass)
endforeach()
e2e_run("${COMMAND}" audit old/three.so --json=old.json)
e2e_expect(pass)
e2e_run("${COMMAND}" audit old/three.so --baseline old.json)
e2e_expect(pass)
e2e_run("${COMMAND}" audit new/three.so)
e2e_expect(pass MATCH "no errors")
e2e_run("${COMMAND}" audit new/three.so --baseline old.json)
e2e_expect(fail MATCH "empty: three.so: .* and 1 more"
  "on 9.0 \\(H100, H200\\) their bodies are empty, while they worked")
e2e_run("${COMMAND}" audit new/three.so --gpu H100)
e2e_expect(fail MATCH "2 of 3 kernels of the file do nothing on 9.0" "runs in part on H100 \\(9.0\\): 1 error")
e2e_run("${COMMAND}" audit new/three.so --gpu A100)
e2e_expect(pass MATCH "runs on A100 \\(8.0\\)")
