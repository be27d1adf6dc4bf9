# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds a Meson project as cells: the placeholder of the cell's archs is the value of the project's
# own option.
find_program(MESON meson)
if(NOT MESON)
  message("skipped: meson is missing; ./setup --dev installs it")
  return()
endif()
# Meson puts the ccache on PATH before nvcc. Its cache is not that of the tests.
set(ENV{CCACHE_DISABLE} 1)
set(sources "${WORK}/project")
file(COPY "${E2E}/meson/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native)
set(command "meson setup out -Darchs=@CAPABILITIES_COMMA@ && meson compile -C out -j $MAX_JOBS")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}" BUILD_COMMAND sh -c "${command}")
e2e_expect(pass)
e2e_build(matrix)
# Meson's probe of nvcc, which has nvcc's default arch, is no code of the project.
e2e_expect(pass MATCH "3 cells: 3 built")
file(GLOB probes "${TREE}/cells/cu135-sm90/source/out/meson-private/*cuda*.exe")
if(NOT probes)
  message(FATAL_ERROR "Meson left no probe of nvcc: this case no longer shows that probes are not judged")
endif()
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 [ .]+Passed" "wave_kernel +native +native" "ripple_kernel +native +native"
  "promise holds: 2 kernels x 2 devices, 3 cells")
if(EXISTS "${sources}/out")
  message(FATAL_ERROR "the build wrote into the project's folder")
endif()

# Planted: the library has archs of its own. The cell without them fails, and the fat cell's audit.
file(READ "${sources}/meson.build" project)
string(REPLACE "'src/wave.cu', cuda_args: flags" "'src/wave.cu', cuda_args: '-arch=sm_75'" planted "${project}")
if(planted STREQUAL project)
  message(FATAL_ERROR "nothing was planted")
endif()
file(WRITE "${sources}/meson.build" "${planted}")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-sm90: failed \\(architectures\\)"
  "the project's own build of source/out/libwaves.so decides: make it read NVCC_GENCODE .* in COMMAND")
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure)
e2e_expect(fail MATCH "jit: wave_kernel.* on 9\\.0, cu135-fat/source/out/libwaves.so"
  "compile wave.cu of libwaves.so for 90 too: add -gencode arch=compute_90,code=sm_90 to nvcc's options"
  "ripple_kernel +native +native")
