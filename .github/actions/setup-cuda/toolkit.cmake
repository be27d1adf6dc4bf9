# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Writes the place of the toolkit CUDA to the files by which GitHub Actions sets variables, PATH and
# outputs of a step.
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake-modules/archgrid/find_toolkit.cmake")
string(REPLACE " " ";" libraries "${LIBRARIES}")
archgrid_find_toolkit("${CUDA}" LIBRARIES ${libraries} RESULT toolkit)
if(NOT toolkit_FOUND)
  message(FATAL_ERROR "CUDA ${CUDA} was not found, although setup provides it: ${toolkit_REASON}")
endif()
file(APPEND "$ENV{GITHUB_ENV}" "CUDA_HOME=${toolkit_ROOT}\nCUDACXX=${toolkit_NVCC}\n")
file(APPEND "$ENV{GITHUB_PATH}" "${toolkit_ROOT}/bin\n")
file(APPEND "$ENV{GITHUB_OUTPUT}" "root=${toolkit_ROOT}\n")
