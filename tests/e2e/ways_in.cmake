# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the ways in which a foreign project gets the functions from archgrid's sources, in folders
# with spaces, each with Ninja and the machine's CMake, and with Makefiles and the newest one: every
# audit runs, and fails where the arch list breaks the promise. e2e.ways_refused has their errors,
# e2e.consumer FetchContent, e2e.installed an installation.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
include("${ROOT}/tests/cmake_releases/find.cmake")
archgrid_find_cmake_release(newest newest)
if(NOT newest)
  message(FATAL_ERROR "CMake ${newest_VERSION} is not in the folder of toolkits\n  Fix: ./setup --dev")
endif()

# way(<name> <lines>): a project that gets the functions by these lines.
function(way name lines)
  file(MAKE_DIRECTORY "${WORK}/${name}/their project")
  file(WRITE "${WORK}/${name}/their project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX CUDA)
${lines}
archgrid_promise(DEVICES 8.0 9.0)
add_library(mylib SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(mylib PRIVATE KERNEL=mine)
archgrid_audit(mylib)
")
endfunction()

# try(<way> <cmake> <generator> <archs>)
macro(try way cmake generator archs)
  string(MAKE_C_IDENTIFIER "${generator} ${archs}" tree)
  set(tree "${WORK}/${way}/build ${tree}")
  e2e_run("${cmake}" -G "${generator}" -S "${WORK}/${way}/their project" -B "${tree}"
    "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}" "-DCMAKE_CUDA_ARCHITECTURES=${archs}")
  e2e_expect(pass MATCH "archgrid: the command is ${COMMAND}" WITHOUT "Warning")
  e2e_run("${cmake}" --build "${tree}")
  e2e_expect(pass)
  get_filename_component(programs "${cmake}" DIRECTORY)
  e2e_run("${programs}/ctest" --test-dir "${tree}" --output-on-failure)
endmacro()

way(submodule "add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)")
# CPM adds a folder from a function of its own.
way(function "function(CPMAddPackage)
  add_subdirectory([==[${ROOT}]==] archgrid)
endfunction()
CPMAddPackage()")
way(module_path "list(APPEND CMAKE_MODULE_PATH [==[${ROOT}/cmake-modules]==])
find_package(ArchGrid REQUIRED)")
file(COPY "${ROOT}/cmake-modules" DESTINATION "${WORK}/copied/their project/third party")
way(copied "include(\"third party/cmake-modules/ArchGrid.cmake\")")

get_filename_component(folder "${COMMAND}" DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")
foreach(way IN ITEMS submodule function module_path copied)
  try(${way} "${CMAKE_COMMAND}" Ninja "80\\;90")
  e2e_expect(pass MATCH "audit\\.mylib .*Passed")
  try(${way} "${newest}" "Unix Makefiles" 80-real)
  e2e_expect(fail MATCH "audit\\.mylib .*Failed" "missing: libmylib\\.so: mine_kernel on 9\\.0"
    "CUDA_ARCHITECTURES[ \n]+of[ \n]+mylib")
endforeach()

# Cells too, although CPM's function hides the variables of modules from the project.
e2e_matrix(matrix CUDA 12.6 ARCHS 80 DEVICES 8.0 CELLS fat ACCEPT native)
file(WRITE "${WORK}/cells/matrix.json" "${matrix}")
file(WRITE "${WORK}/cells/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
function(CPMAddPackage)
  add_subdirectory([==[${ROOT}]==] archgrid)
endfunction()
CPMAddPackage()
archgrid_add_matrix(MATRIX matrix.json SOURCE \"../copied/their project\")
")
set(ENV{CUDAARCHS} 90)
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/cells" -B "${WORK}/cells/build")
unset(ENV{CUDAARCHS})
e2e_expect(pass MATCH "CUDAARCHS=90 of the environment is ignored in cells")
e2e_run("${CMAKE_COMMAND}" --build "${WORK}/cells/build" --target matrix)
file(READ "${WORK}/cells/build/cells/cu126-fat.json" status)
string(JSON rules GET "${status}" rules)

# Without a command, the copied modules alone cannot build one.
set(ENV{PATH} "/usr/bin:/bin")
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/copied/their project" -B "${WORK}/copied/without"
  "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}" -DCMAKE_CUDA_ARCHITECTURES=80)
e2e_expect(fail MATCH "the archgrid command was not found\\.[ \n]+Put[ \n]+it[ \n]+on[ \n]+PATH")
