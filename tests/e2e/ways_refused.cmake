# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks wrong calls of newcomers in each way to get the functions: each is refused, or fails its
# test, by a message that says what to do. No project here compiles CUDA.
e2e_cache_compilations()
set(ENV{PATH} "/usr/bin:/bin")
e2e_run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
e2e_expect(pass)
e2e_copy_sources("${WORK}/sources")
file(COPY "${ROOT}/cmake-modules" DESTINATION "${WORK}/copied")
file(WRITE "${WORK}/host.cpp" "int answer() { return 42; }\n")

set(way_fetched "include(FetchContent)
FetchContent_Declare(archgrid SOURCE_DIR [==[${WORK}/sources]==])
FetchContent_MakeAvailable(archgrid)
include(ArchGrid)")
set(way_cpm "function(CPMAddPackage)
  add_subdirectory([==[${WORK}/sources]==] archgrid)
endfunction()
CPMAddPackage()")
set(way_submodule "add_subdirectory([==[${WORK}/sources]==] archgrid)
include(ArchGrid)")
set(way_module_path "list(APPEND CMAKE_MODULE_PATH [==[${WORK}/sources/cmake-modules]==])
find_package(ArchGrid REQUIRED)")
set(way_copied "include([==[${WORK}/copied/cmake-modules/ArchGrid.cmake]==])")
set(way_installed "find_package(ArchGrid REQUIRED PATHS [==[${WORK}/prefix]==] NO_DEFAULT_PATH)")

# configure(<way> <case> <lines> [<argument>...]): a project that gets the functions, and then has
# these lines. BEFORE, if set, are lines before it gets them.
macro(configure way case lines)
  set(project "${WORK}/projects/${way} ${case}")
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
${BEFORE}
${way_${way}}
${lines}
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${project}" -B "${project}/build" ${ARGN})
endmacro()

set(library "add_library(mine SHARED [==[${WORK}/host.cpp]==])\n")
set(command "-DARCHGRID_COMMAND=${COMMAND}")
foreach(way IN ITEMS fetched cpm submodule module_path copied installed)
  configure(${way} promise "${library}archgrid_audit(mine)" "${command}")
  e2e_expect(fail MATCH "archgrid_audit: no promise here\\." "Call archgrid_promise\\(DEVICES")
  configure(${way} target "archgrid_promise(DEVICES 8.0)\narchgrid_audit(mien)" "${command}")
  e2e_expect(fail MATCH "archgrid_audit: mien is no target")
  configure(${way} device "archgrid_promise(DEVICES sm_85)" "${command}")
  e2e_expect(fail MATCH "archgrid_promise: DEVICES: there is no GPU \"sm_85\"")

  # A target of host code has nothing that a promise could be about.
  configure(${way} host "${library}archgrid_promise(DEVICES 8.0)\narchgrid_audit(mine)" "${command}")
  e2e_expect(pass MATCH "the command is ${COMMAND}")
  e2e_run("${NINJA}" -C "${project}/build" mine)
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${project}/build" --output-on-failure)
  e2e_expect(fail MATCH "no-device-code: libmine\\.so")

  # Without a command, and without a compiler that could build one.
  file(RENAME "${WORK}/prefix/bin/archgrid" "${WORK}/prefix/bin/gone")
  set(ENV{ARCHGRID_COMMANDS} "${WORK}/commands")
  set(ENV{CXX} "${WORK}/no compiler")
  set(BEFORE "set(CMAKE_CXX_COMPILER \"\")")
  configure(${way} command "archgrid_promise(DEVICES 8.0)\narchgrid_audit(NAME wheel FILES a.whl)"
    -DCMAKE_CXX_COMPILER=/usr/bin/c++)
  set(BEFORE "")
  unset(ENV{CXX})
  file(RENAME "${WORK}/prefix/bin/gone" "${WORK}/prefix/bin/archgrid")
  if(way STREQUAL "installed")
    e2e_expect(fail MATCH
      "the archgrid command was not found: [^ ]*/prefix/bin/archgrid is missing, and none is on PATH")
  elseif(way STREQUAL "copied")
    e2e_expect(fail MATCH "the archgrid command was not found\\. Put it on PATH")
  else()
    e2e_expect(fail MATCH "its command cannot be built here: it needs a C..20 compiler" "no compiler")
  endif()
endforeach()

# The real old CMake stops at cmake_minimum_required in the sources; modules have to say it.
set(BEFORE "set(CMAKE_VERSION 3.24.4)")
foreach(way IN ITEMS module_path copied installed)
  configure(${way} cmake "" "${command}")
  e2e_expect(fail MATCH "archgrid needs CMake 3\\.25 or newer, and this is 3\\.24\\.4\\. pip install cmake")
endforeach()
