# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that cells of projects without CMake, outside of git, build as `archgrid init --write`
# proposes: a Makefile that computes its options, and a setup.py that names no archs.

# expect_built(<name> <regex>...): lets init add the cells of WORK/<name>, matches its
# CMakeLists.txt and matrix file, and builds and audits the cells.
function(expect_built name)
  set(source "${WORK}/${name}")
  e2e_run("${COMMAND}" init "${source}" --toolkit 13.5 --gpu 8.0,9.0 --write)
  e2e_expect(pass MATCH "written:")
  file(READ "${source}/matrices/CMakeLists.txt" lists)
  file(READ "${source}/matrices/archgrid.json" matrix)
  set(output "${lists}${matrix}")
  e2e_expect(pass MATCH ${ARGN})
  string(REPLACE "bdist_wheel" "build" lists "${lists}") # which setuptools has by itself
  file(WRITE "${source}/matrices/CMakeLists.txt" "${lists}")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}/matrices" -B "${WORK}/${name}-cells"
    "-DCMAKE_MODULE_PATH=${ROOT}/cmake-modules" "-DARCHGRID_COMMAND=${COMMAND}")
  e2e_expect(pass)
  e2e_run("${NINJA}" -C "${WORK}/${name}-cells")
  e2e_expect(pass MATCH "1 cell: 1 built")
  e2e_run("${CTEST}" --test-dir "${WORK}/${name}-cells" --output-on-failure)
  e2e_expect(pass MATCH "cu135-fat/AUDIT/sm80 [.]+ +Passed" "cu135-fat/AUDIT/sm90 [.]+ +Passed" "promise holds")
endfunction()

find_program(make make NO_CACHE)
if(make)
  file(COPY "${E2E}/build_command/src/fill.cu" DESTINATION "${WORK}/computed")
  file(WRITE "${WORK}/computed/Makefile" "SMS ?= 75 80
$(foreach sm,$(SMS),$(eval FLAGS += -gencode arch=compute_$(sm),code=sm_$(sm)))
FLAGS += -O2
fill: fill.cu
	$(CUDA_HOME)/bin/nvcc $(FLAGS) -o $@ $<
")
  expect_built(computed "COMMAND make \"SMS=@ARCHS_SPACE@\"")
else()
  message("skipped: make is missing")
endif()

find_program(python python3 NO_CACHE)
execute_process(COMMAND "${python}" -c "import setuptools" RESULT_VARIABLE no_setuptools ERROR_QUIET)
if(python AND NOT no_setuptools)
  file(COPY "${E2E}/build_command/src" DESTINATION "${WORK}/silent")
  file(READ "${E2E}/build_command/setup.py" setup)
  string(REGEX REPLACE "def gencode_flags.*class Build" "class Build" setup "${setup}")
  string(REPLACE "*gencode_flags(), " "" setup "${setup}")
  string(REPLACE "TORCH_CUDA_ARCH_LIST" "their variable" setup "${setup}")
  file(WRITE "${WORK}/silent/setup.py" "${setup}")
  expect_built(silent "COMMAND python3 setup.py bdist_wheel" "\"NVCC_APPEND_FLAGS\": \"@GENCODE@\"")
else()
  message("skipped: python3 or its setuptools are missing")
endif()
