# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that concurrently building cells share the processors in proportion to the number of their
# architectures: a lone cell gets all, and each cell at least one. A killed build does not count.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 80 90a DEVICES 7.5 8.0 9.0 CELLS single fat ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/tiny")
include("${ROOT}/cmake-modules/archgrid/detail/share_jobs.cmake")
find_program(FLOCK flock REQUIRED)

# begin(<cell> [<jobs>]): simulates a build step that holds the lock and has recorded its jobs.
function(begin cell)
  set(lock "${TREE}/cells/cu135-${cell}.lock")
  execute_process(COMMAND sh -c "'${FLOCK}' '${lock}' sleep 600 >/dev/null 2>&1 & echo $!" OUTPUT_VARIABLE process
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  foreach(try RANGE 500)
    execute_process(COMMAND "${FLOCK}" -s -n "${lock}" true RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      break()
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.02)
  endforeach()
  if(ARGC GREATER 1)
    file(WRITE "${TREE}/cells/cu135-${cell}.jobs" "${ARGV1}")
  endif()
  set(process_${cell} ${process} PARENT_SCOPE)
endfunction()

# kill(<cell>): ends flock and its child process, which holds the lock until it exits.
function(kill cell)
  execute_process(COMMAND sh -c "pkill -P ${process_${cell}}; kill ${process_${cell}}" OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND "${FLOCK}" -w 60 "${TREE}/cells/cu135-${cell}.lock" true COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect_jobs(<cell> <ARCHGRID_JOBS> <its share>)
function(expect_jobs cell all part)
  _archgrid_share_jobs("${TREE}" cu135-${cell} ${all} "${FLOCK}" share)
  if(NOT share STREQUAL part)
    message(FATAL_ERROR "cu135-${cell}: ${share} of ${all} jobs, and not ${part}")
  endif()
endfunction()

expect_jobs(fat 64 64)
expect_jobs(sm75 2 2)
begin(fat)
expect_jobs(sm75 64 16)
expect_jobs(sm75 2 1)
begin(sm75)
begin(sm80)
expect_jobs(fat 64 38)
expect_jobs(sm90a 64 11)
expect_jobs(sm90a 8 1)
kill(sm75)
kill(sm80)
expect_jobs(sm90a 64 16)
# A cell that started alone has taken them all.
file(WRITE "${TREE}/cells/cu135-fat.jobs" 60)
expect_jobs(sm90a 64 4)
file(WRITE "${TREE}/cells/cu135-fat.jobs" 64)
expect_jobs(sm90a 64 1)
kill(fat)
expect_jobs(sm90a 64 64)

# The jobs that the build step passes to Ninja: alone, and beside a cell of three archs.
file(WRITE "${WORK}/ninja" "#!/bin/sh\necho \"$*\" >> '${WORK}/calls'\nexec '${NINJA}' \"$@\"\n")
file(CHMOD "${WORK}/ninja" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
e2e_tree(real MATRIX "${matrix}" SOURCE "${E2E}/tiny" ARGUMENTS "-DCMAKE_MAKE_PROGRAM=${WORK}/ninja" -DARCHGRID_JOBS=8)
foreach(jobs IN ITEMS 8 2)
  file(WRITE "${WORK}/calls" "")
  if(jobs EQUAL 2)
    begin(fat)
  endif()
  e2e_build(cu135-sm75)
  e2e_expect(pass WITHOUT "failed")
  file(READ "${WORK}/calls" calls)
  if(NOT calls MATCHES "-j ${jobs} ")
    message(FATAL_ERROR "Ninja of the cell was not called with -j ${jobs}:\n${calls}")
  endif()
  file(REMOVE "${TREE}/cells/cu135-sm75/tiny") # so that it is linked again
endforeach()
kill(fat)

# A Ninja that supports a jobserver gets no number, which would disable it.
set(ENV{MAKEFLAGS} "-j8 --jobserver-auth=fifo:/tmp/none")
foreach(version IN ITEMS 1.12.1 1.13.0)
  file(WRITE "${WORK}/ninja-${version}" "#!/bin/sh\necho ${version}\n")
  file(CHMOD "${WORK}/ninja-${version}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
_archgrid_jobs_argument("${TREE}" cu135-sm75 4 "${FLOCK}" "${WORK}/ninja-1.12.1" old)
_archgrid_jobs_argument("${TREE}" cu135-sm75 4 "${FLOCK}" "${WORK}/ninja-1.13.0" new)
if(NOT "${old}" STREQUAL "-j;4" OR NOT "${new}" STREQUAL "")
  message(FATAL_ERROR "arguments are \"${old}\" and \"${new}\"")
endif()
