# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds a Bazel project as cells. Its outputs are below an output root in the cell's tree.
find_program(BAZEL bazel)
if(NOT BAZEL)
  message("skipped: bazel is missing (Debian: bazel-bootstrap)")
  return()
endif()
set(sources "${WORK}/project")
file(COPY "${E2E}/bazel/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native)
set(command "'${BAZEL}' --batch --output_user_root=\"$PWD/../bazel\" build --spawn_strategy=local //:waves")
string(APPEND command " --jobs=$MAX_JOBS --action_env=PATH --action_env=CUDA_HOME --action_env=NVCC_CCBIN")
string(APPEND command " --action_env=NVCC_GENCODE")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}" BUILD_COMMAND sh -c "${command}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "3 cells: 3 built")
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(pass MATCH "wave_kernel +native +native" "promise holds: 1 kernel x 2 devices, 3 cells")

# Planted: a file has archs of its own.
file(READ "${sources}/BUILD" project)
string(REPLACE "$$NVCC_GENCODE" "-arch=sm_75" planted "${project}")
if(planted STREQUAL project)
  message(FATAL_ERROR "nothing was planted")
endif()
file(WRITE "${sources}/BUILD" "${planted}")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-fat: failed \\(architectures\\) .*build of bazel/[^ ]*/libwaves.so decides: make it read NVCC_GENCODE")
file(WRITE "${sources}/BUILD" "${project}")

# Planted: the output root is outside of the cell, as Bazel's default is.
string(REPLACE "$PWD/../bazel" "${WORK}/outside/root" command "${command}")
e2e_tree(outside MATRIX "${matrix}" SOURCE "${sources}" BUILD_COMMAND sh -c "${command}")
e2e_build(cu135-fat)
e2e_run("${CTEST}" --test-dir "${TREE}" -R cu135-fat)
e2e_expect(fail MATCH "no-device-code: cell cu135-fat"
  "note: [^ ]*/outside/root/[^ ]*/libwaves.so: not audited: it was written outside the cell's tree")
