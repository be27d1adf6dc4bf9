# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a small project builds as before with what `archgrid init --write` adds to it, and
# that its audit and its cells run where archgrid is installed.
include("${ROOT}/cmake-modules/archgrid/find_toolkit.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
cmake_path(GET CMAKE_COMMAND PARENT_PATH cmake_folder)
cmake_path(GET NINJA PARENT_PATH ninja_folder)
set(ENV{PATH} "${cmake_folder}:${ninja_folder}:/usr/bin:/bin")
e2e_run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
e2e_expect(pass)

set(source "${WORK}/mylib")
file(COPY_FILE "${E2E}/shapes/kernel.cu" "${WORK}/kernel.cu")
file(MAKE_DIRECTORY "${source}")
file(RENAME "${WORK}/kernel.cu" "${source}/kernel.cu")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.24)
project(mylib LANGUAGES CXX)
option(MYLIB_CUDA \"use CUDA\" OFF)
if(MYLIB_CUDA)
  set(MYLIB_CUDA_ARCHS \"80;90\" CACHE STRING \"archs\")
  set(CMAKE_CUDA_ARCHITECTURES \${MYLIB_CUDA_ARCHS})
  enable_language(CUDA)
  add_library(mylib SHARED kernel.cu)
  target_compile_definitions(mylib PRIVATE KERNEL=mylib)
endif()
")
e2e_run("${WORK}/prefix/bin/archgrid" init "${source}" --toolkit 13.5 --write)
e2e_expect(pass MATCH "written: 4 files")
e2e_run("${WORK}/prefix/bin/archgrid" init "${source}" --toolkit 13.5 --write)
e2e_expect(pass MATCH "^nothing to do: the project has")

# configure(<tree> <argument>...): configures the project into WORK/<tree>, and builds it.
macro(configure tree)
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${WORK}/${tree}" "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    --no-warn-unused-cli ${ARGN})
  e2e_expect(pass WITHOUT "Warning")
  e2e_run("${NINJA}" -C "${WORK}/${tree}")
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${WORK}/${tree}" --label-regex fatbin --output-on-failure)
endmacro()

# Without archgrid, and without CUDA, nothing is added.
configure(without_archgrid -DMYLIB_CUDA=ON)
e2e_expect(pass MATCH "No tests were found")
configure(without_cuda "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
e2e_expect(pass MATCH "No tests were found")
# The audit is green, and red for a build without a promised GPU.
configure(green -DMYLIB_CUDA=ON "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
e2e_expect(pass MATCH "audit\\.mylib .*Passed")
configure(red -DMYLIB_CUDA=ON -DMYLIB_CUDA_ARCHS=90 "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
e2e_expect(fail MATCH "missing: libmylib\\.so: mylib_kernel on 8\\.0")

# The cells.
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}/matrices" -B "${WORK}/cells" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
e2e_expect(pass WITHOUT "Warning")
e2e_run("${NINJA}" -C "${WORK}/cells")
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_run("${CTEST}" --test-dir "${WORK}/cells" --output-on-failure)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm80 [.]+ +Passed" "cu135-fat/AUDIT/sm90 [.]+ +Passed" "promise holds")
