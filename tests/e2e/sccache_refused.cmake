# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that ccache caches CUDA if sccache is incorrect for a toolkit, and that configuring says
# why. If sccache is correct but fails on a file, nvcc compiles that file alone, and the log says
# so. sccache's server holds no lock of a cell, and writes nothing into a cell whose build was
# killed.
include("${E2E}/support/sccache.cmake")
find_program(CCACHE ccache REQUIRED)
archgrid_find_sccache(SCCACHE)
start_sccache()
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)

# expect_caches(<ccache or sccache>...): checks which caches nvcc's launcher in the cell of TREE
# uses; without arguments there is no launcher.
function(expect_caches)
  file(READ "${TREE}/cells/cu135-fat.config.cmake" config)
  string(REGEX MATCH "CMAKE_CUDA_COMPILER_LAUNCHER [^\n]*\n([^]]*)" launcher "${config}")
  set(launcher "${CMAKE_MATCH_1}")
  set(caches "")
  if(launcher)
    file(STRINGS "${launcher}" lines REGEX "^s?ccache='.+'$")
    string(REGEX REPLACE "=[^;]*" "" caches "${lines}")
  endif()
  if(NOT caches STREQUAL "${ARGN}")
    message(FATAL_ERROR "nvcc's launcher uses \"${caches}\", not \"${ARGN}\": ${launcher}")
  endif()
endfunction()

# expect_refused(<name> <script> <regex> <calls>): checks that an sccache with this script is
# rejected with a matching reason, and that three configures call it <calls> times.
function(expect_refused name script regex calls)
  file(WRITE "${WORK}/${name}/sccache" "#!/bin/bash
[[ $1 != --version ]] || exit 0\necho >>'${WORK}/${name}/calls'\n${script}\n")
  file(CHMOD "${WORK}/${name}/sccache" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  e2e_tree(tree-${name} MATRIX "${matrix}" SOURCE "${E2E}/tiny" ARGUMENTS "-DARCHGRID_SCCACHE=${WORK}/${name}/sccache")
  foreach(again RANGE 2)
    if(again)
      e2e_run("${CMAKE_COMMAND}" "${TREE}")
    endif()
    e2e_expect(pass MATCH "CUDA 13.5: sccache is not used: ${regex}")
    expect_caches(ccache)
  endforeach()
  file(READ "${WORK}/${name}/calls" called)
  string(LENGTH "${called}" count)
  if(NOT count EQUAL calls)
    message(FATAL_ERROR "the probe called ${name} ${count} times, not ${calls}")
  endif()
  set(TREE "${TREE}" PARENT_SCOPE)
endfunction()
expect_refused(broken "exit 3" "it fails" 3)
expect_refused(other_images "exec \"$@\" -lineinfo" "its images are not those of nvcc alone" 2)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")

# Without any cache there is no sccache either.
e2e_tree(uncached MATRIX "${matrix}" SOURCE "${E2E}/tiny" ARGUMENTS -DARCHGRID_COMPILER_CACHE=OFF)
e2e_expect(pass WITHOUT "sccache is not used" "sccache was not found")
expect_caches()

set(ENV{CCACHE_DIR} "${WORK}/another-ccache") # has nothing that nvcc compiled above

# If the server does not start, the compilation continues without it.
set(server "$ENV{SCCACHE_SERVER_UDS}")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_expect(pass WITHOUT "sccache is not used" "sccache was not found")
expect_caches(ccache sccache)
set(ENV{SCCACHE_SERVER_UDS} "${WORK}/none/socket")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-fat: built in [0-9.]+ s; the compiler cache failed on [0-9]+ units?: [^\n]" "1 cell: 1 built")
file(READ "${TREE}/cells/cu135-fat.log" log)
if(NOT log MATCHES "archgrid: sccache failed, nvcc compiled [^ ]*first.cu alone: ")
  message(FATAL_ERROR "the log does not say that sccache failed:\n${log}")
endif()
set(ENV{SCCACHE_SERVER_UDS} "${server}")

# nvcc reports an error in the source, once. Compilations of the cell start the server, which
# outlives them; it does not inherit the lock of the cell.
execute_process(COMMAND "${SCCACHE}" --stop-server OUTPUT_QUIET ERROR_QUIET)
file(COPY "${E2E}/tiny/" DESTINATION "${WORK}/faulty-sources")
file(APPEND "${WORK}/faulty-sources/first.cu" "mistaken\n")
e2e_tree(faulty MATRIX "${matrix}" SOURCE "${WORK}/faulty-sources")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 0 built, 1 failed")
find_program(FLOCK flock REQUIRED)
execute_process(COMMAND "${FLOCK}" --nonblock "${TREE}/cells/cu135-fat.lock" true RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the lock of the cell is held after its build")
endif()
stop_sccache() # fails if none is running
file(READ "${TREE}/cells/cu135-fat.log" log)
string(REGEX MATCHALL "first.cu\\([0-9]+\\): error" errors "${log}")
list(LENGTH errors count)
if(NOT count EQUAL 1 OR log MATCHES "sccache failed")
  message(FATAL_ERROR "the error of first.cu is not there once, and alone:\n${log}")
endif()

# A compilation of a killed build continues in the server. Its output must not reach the cell.
string(REPEAT "/long" 30 long) # too long for a socket
set(ENV{TMPDIR} "${WORK}/tmp${long}")
file(MAKE_DIRECTORY "$ENV{TMPDIR}")
file(COPY "${E2E}/tiny/" DESTINATION "${WORK}/killed-sources")
file(WRITE "${WORK}/killed-sources/first.cu" "template <int N> __device__ void work(float* out) {
  if constexpr (N > 0) {
    work<N - 1>(out);
    out[N] = out[N - 1] * out[N] + sinf(out[N]);
  }
}
__global__ void first_kernel(float* out) { work<60>(out); }
void launch_first(float* out) { first_kernel<<<1, 1>>>(out); }
")
e2e_tree(killed MATRIX "${matrix}" SOURCE "${WORK}/killed-sources" DEFINITIONS CMAKE_CUDA_STANDARD=17)
execute_process(COMMAND bash -c "setsid '${NINJA}' -C '${TREE}' matrix >/dev/null 2>&1 &
for try in {1..600}; do
  sleep 0.1
  if grep -qs first_kernel '${WORK}/tmp${long}'/sccache_nvcc*/*.cpp1.ii; then break; fi
done
pkill -KILL -s $!")
set(gone FALSE)
foreach(try RANGE 600)
  file(GLOB working "${WORK}/tmp${long}/sccache_nvcc*")
  if(NOT working)
    set(gone TRUE)
    break()
  endif()
  set(was_working TRUE)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
endforeach()
if(NOT was_working OR NOT gone)
  message(FATAL_ERROR "the build was not killed while sccache's server compiled, or that does not end: \"${working}\"")
endif()
file(GLOB_RECURSE objects "${TREE}/cells/*first.cu.o*")
# Folders of the launcher, which was killed, too.
list(FILTER objects EXCLUDE REGEX "[.]sccache-")
if(objects)
  message(FATAL_ERROR "sccache's server wrote into a cell whose build was killed: ${objects}")
endif()
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
file(READ "${TREE}/cells/cu135-fat.log" log)
file(GLOB_RECURSE left LIST_DIRECTORIES TRUE "${TREE}/cells/*")
list(FILTER left INCLUDE REGEX "[.]sccache-")
if(left OR log MATCHES "sccache failed")
  message(FATAL_ERROR "the next build leaves \"${left}\", or does not use sccache:\n${log}")
endif()
stop_sccache()
