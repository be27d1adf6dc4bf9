# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the progress of a build of cells, with a slow script instead of compilers. It reports each
# finished cell and the progress of the others, and builds the fat cell of a toolkit after its
# single ones. When interrupted, it ends its child processes and reports the progress. A killed step
# of one cell does not stop others.
find_program(FLOCK flock REQUIRED)
find_program(SCRIPT script REQUIRED)
set(tree "${WORK}/a tree $with 'signs'")
set(cells cu130-sm80 cu135-sm90 cu130-sm90 cu130-fat)
set(planned "")
foreach(id IN LISTS cells)
  string(REGEX REPLACE ".*-sm[0-9]+$" "single" kind "${id}")
  string(REGEX REPLACE ".*-fat$" "fat" kind "${kind}")
  string(APPEND planned ", {\"id\": \"${id}\", \"kind\": \"${kind}\"}")
  file(WRITE "${tree}/cells/${id}.config.cmake" "set(cell_id ${id})\n")
endforeach()
string(REGEX REPLACE "^, " "" planned "${planned}")
file(WRITE "${tree}/plan.json" "{\"cells\": [${planned}]}")
file(WRITE "${WORK}/one.cmake" [=[
include("${CONFIG}")
string(REGEX REPLACE "[.]config[.]cmake$" "" cell "${CONFIG}")
get_filename_component(cells "${cell}" DIRECTORY)
file(APPEND "${cells}/order" "begin ${cell_id};")
if(cell_id STREQUAL "$ENV{ENDS}")
  execute_process(COMMAND sh -c "$ENV{ENDS_BY}")
  message(FATAL_ERROR "ended by itself")
endif()
file(WRITE "${cell}.json" "{\n  \"status\": \"building\"}")
file(WRITE "${cell}.log.ninja" "ninja: Entering directory\n[3/9] first\n[4/9] second [12/40]\n")
if(NOT cell_id STREQUAL "$ENV{QUICK}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep "$ENV{TAKES}")
endif()
file(REMOVE "${cell}.log.ninja")
file(WRITE "${cell}.json" "{\n  \"schema\": \"archgrid.cell/1\",\n  \"status\": \"$ENV{BECOMES}\"}")
file(APPEND "${cells}/order" "end ${cell_id};")
if(NOT cell_id STREQUAL "cu130-sm90") # it had nothing to do
  message(STATUS "${cell_id}: built in ${COMMAND}")
endif()
]=])

# builder(OUT): sets OUT to the command, with further arguments in ARGN.
function(builder out)
  list(JOIN cells "," chosen)
  set(${out} "${COMMAND}" build-cells "${tree}" --cells "${chosen}" --jobs 4 --ninja "${NINJA}"
    --cmake "${CMAKE_COMMAND}"
    --flock "${FLOCK}" --command "4 $s" --script "${WORK}/one.cmake" ${ARGN} PARENT_SCOPE)
endfunction()

# A killed build has left the fat cell in the status `building`.
file(WRITE "${tree}/cells/cu130-fat.json" "{\n  \"status\": \"building\"}")
set(ENV{TAKES} 2.5)
set(ENV{BECOMES} built)
set(ENV{NINJA_STATUS} "a user's: ")
builder(build --every 1)
e2e_run(${build})
e2e_expect(pass MATCH "(^|\n)cu130-sm80: built in 4 [$]s\n" "\ncu130-fat: built in 4 [$]s\n$"
  "(^|\n)0 of 4 cells, [0-9]+ s: [^\n]*cu130-sm80 4/9" "\n[23] of 4 cells, [0-9]+ s: [^\n]*cu130-fat 4/9\n"
  WITHOUT "[01] of 4 cells[^\n]*cu130-fat" "cu130-sm90: " "a user's" "ninja" "-- ")
file(READ "${tree}/cells/order" order)
if(NOT order MATCHES "end cu130-sm[89]0;.*end cu130-sm[89]0;.*begin cu130-fat;")
  message(FATAL_ERROR "the fat cell did not wait for its toolkit's single ones: ${order}")
endif()
file(GLOB left "${tree}/cells/*.ninja")
if(left)
  message(FATAL_ERROR "left over: ${left}")
endif()

# On a terminal, one line shows what is running, and is erased when outdated.
string(ASCII 27 escape)
set(ENV{TAKES} 0.6)
builder(build)
set(words "")
foreach(word IN LISTS build)
  string(REPLACE "'" "'\\''" word "${word}")
  string(APPEND words " '${word}'")
endforeach()
e2e_run("${CMAKE_COMMAND}" -E env TERM=xterm "${SCRIPT}" -qec "${words}" /dev/null)
e2e_expect(pass MATCH "\r${escape}.K0 of 4 cells, [0-9]+ s: [^\n\r]*cu130-sm80 4/9"
  "\r${escape}.Kcu130-sm80: built in 4 [$]s\r?\n"
  "\r${escape}.K(\r?\n)?$")

# No process is left over: the lock is free when the program has exited. The count includes the cell
# that this build has built, unless the tree was configured otherwise meanwhile. It excludes the fat
# cell, which an earlier build built, and cells that were in progress. The program exits by the
# signal that it received.
set(ENV{TAKES} 600)
set(ENV{QUICK} cu130-sm80)
builder(build)
foreach(signal IN ITEMS INT TERM)
  execute_process(COMMAND timeout -s ${signal} --preserve-status 2 ${build}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  e2e_expect(fail MATCH
    "^cu130-sm80: built in 4 [$]s\ninterrupted: 1 of 4 cells are up to date; the next build goes on from there\n$")
endforeach()
if(NOT result STREQUAL "143") # 128 and SIGTERM
  message(FATAL_ERROR "the build did not end by the signal: ${result}")
endif()
set(ENV{BECOMES} stale)
execute_process(COMMAND timeout -s TERM 2 ${build} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
e2e_expect(fail MATCH "interrupted: 0 of 4 cells are up to date")
set(ENV{BECOMES} built)
set(ENV{QUICK} "")
execute_process(COMMAND "${FLOCK}" -w 10 "${tree}/cells/cu130-sm80.lock" true RESULT_VARIABLE result)
e2e_expect(pass)

# Signals that the caller makes the build ignore do not end it: sh ignores SIGINT in background
# jobs.
set(ENV{TAKES} 2)
builder(build)
e2e_run(sh -c [[trap '' HUP && { "$@" & } && sleep 1 && kill -INT $! && kill -HUP $! && wait $!]] sh ${build})
e2e_expect(pass MATCH "cu130-sm80: built in 4 [$]s\n" "cu130-fat: built in 4 [$]s\n" WITHOUT "interrupted")

# A cell of PTX waits for that of machine code for the same arch, which also contains that PTX.
set(ENV{TAKES} 0.1)
set(cells cu130-compute90 cu130-sm90)
file(WRITE "${tree}/plan.json"
  [[{"cells": [{"id": "cu130-compute90", "kind": "single"}, {"id": "cu130-sm90", "kind": "single"}]}]])
file(WRITE "${tree}/cells/cu130-compute90.config.cmake" "set(cell_id cu130-compute90)\n")
file(REMOVE "${tree}/cells/order")
builder(build)
e2e_run(${build})
e2e_expect(pass)
file(READ "${tree}/cells/order" order)
if(NOT order STREQUAL "begin cu130-sm90;end cu130-sm90;begin cu130-compute90;end cu130-compute90;")
  message(FATAL_ERROR "the cell of PTX did not wait: ${order}")
endif()

# A cell whose step is killed does not stop others, and loses its old status. A step that cannot run
# is an error. A killed build leaves no file.
foreach(id IN ITEMS cu130-compute90 cu130-sm90)
  file(WRITE "${tree}/cells/${id}.json" "{\n  \"status\": \"built\"}")
endforeach()
set(ENV{ENDS} cu130-sm90)
set(ENV{ENDS_BY} "kill -KILL $PPID")
builder(build)
e2e_run(${build})
e2e_expect(pass MATCH "(^|\n)cu130-sm90: not built: killed by signal 9\n" "\ncu130-compute90: built in 4 [$]s\n")
if(EXISTS "${tree}/cells/cu130-sm90.json")
  message(FATAL_ERROR "a cell whose step was killed has the status of before")
endif()
set(ENV{ENDS_BY} true)
e2e_run(${build})
e2e_expect(fail MATCH "ended by itself" WITHOUT "cu130-compute90: built")
set(ENV{ENDS} "")
set(ENV{TAKES} 1)
e2e_run(sh -c [["$@" >/dev/null 2>&1 & sleep 0.5 && kill -KILL $!]] sh ${build})
file(GLOB left "${tree}/cells/cells-*.ninja")
if(left)
  message(FATAL_ERROR "left over: ${left}")
endif()

# A missing program.
set(NINJA "${WORK}/no/ninja")
builder(build)
e2e_run(${build})
e2e_expect(fail MATCH
  "archgrid: cannot start[ \n]+[^ \n]*/no/ninja:[ \n]+No[ \n]+such[ \n]+file[ \n]+or[ \n]+directory")
