# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the closing table of a build shows each reason as recorded, even with brackets and
# semicolons.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
set(cells "")
set(index 0)
foreach(reason IN ITEMS "expected a bracket here" "expected ']' before the end of [a name" "a ] that [nothing; opens"
    "a folder\\ with a blank")
  _archgrid_write_cell_status("${CASE_BINARY}/cells/c${index}.json" ID c${index} STATUS impossible REASON "${reason}")
  list(APPEND cells
    "{\"id\": \"c${index}\", \"cuda\": \"13.5\", \"kind\": \"fat\", \"archs\": [\"90\"], \"labels\": [\"fat\"], \"targets\": [\"app\"]}")
  math(EXPR index "${index} + 1")
endforeach()
list(JOIN cells ", " cells)
file(WRITE "${CASE_BINARY}/plan.json"
  "{\"cells\": [${cells}], \"audits\": [{\"cell\": \"c0\", \"devices\": [\"9.0\"]}]}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}"
  -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
foreach(line IN ITEMS "    expected a bracket here\n" "    expected ']' before the end of [a name\n"
  "    a ] that [nothing; opens\n"
    "    a folder\\ with a blank\n" "4 cells: 0 built, 4 impossible")
  string(FIND "${text}" "${line}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the table lacks \"${line}\":\n${text}")
  endif()
endforeach()

# The status stays in a column of its own beside the longest name.
set(long cu135-with-a-long-variant-fat)
string(REPLACE "c0" "${long}" long_cells "${cells}")
file(WRITE "${CASE_BINARY}/long/plan.json" "{\"cells\": [${long_cells}]}")
file(COPY "${CASE_BINARY}/cells" DESTINATION "${CASE_BINARY}/long")
_archgrid_write_cell_status("${CASE_BINARY}/long/cells/${long}.json" ID ${long} STATUS impossible REASON "")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}/long"
  -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT text MATCHES "\ncell                          status" OR NOT text MATCHES "\n${long} impossible" OR
    NOT text MATCHES "\nc1                            impossible")
  message(FATAL_ERROR "with a long name the table is\n${text}")
endif()

# The table prints a reason that several cells share only once.
foreach(index RANGE 3)
  set(reason "CUDA 13.5 is not on this machine: install it")
  if(index EQUAL 2)
    set(reason "CUDA 11.8 is not on this machine: install it")
  endif()
  _archgrid_write_cell_status("${CASE_BINARY}/cells/c${index}.json" ID c${index} STATUS impossible REASON "${reason}")
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}"
  -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
string(REGEX REPLACE "[ \n]+" " " folded "${text}")
if(NOT folded MATCHES
    "c0 impossible 90 CUDA 13.5 is not on this machine: install it c1 impossible 90 as c0 c2 impossible 90 CUDA 11.8 is not on this machine: install it c3 impossible 90 as c0 4 cells")
  message(FATAL_ERROR "with one reason for three cells the table is\n${text}")
endif()

# Only a cell that this build has built shows its time.
foreach(index RANGE 3)
  _archgrid_write_cell_status("${CASE_BINARY}/cells/c${index}.json" ID c${index} STATUS built
    SECONDS 1.${index} REASON "")
endforeach()
foreach(file IN ITEMS c0.end begin c1.end)
  file(TOUCH "${CASE_BINARY}/cells/${file}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}" "-DBEGIN=${CASE_BINARY}/cells/begin"
  -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT text MATCHES "\nc0 +built +unchanged +90\nc1 +built +1[.]1 s +90\nc2 +built +1[.]2 s +90\n")
  message(FATAL_ERROR "after a build of c1 alone the table is\n${text}")
endif()

# Other facts of a cell are not labels.
foreach(label IN ITEMS fat app 9.0)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}" -DLABEL=${label}
    -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(label STREQUAL "fat" AND NOT text MATCHES "4 cells: " OR NOT label STREQUAL "fat" AND NOT text MATCHES "0 cells: ")
    message(FATAL_ERROR "with the label ${label} the table is\n${text}")
  endif()
endforeach()

# An error in a source fails all cells: the table and the tests BUILT show it once, and name each
# cell's log.
foreach(index RANGE 3)
  set(reason "it does not compile: a.cu(1): error: expected a \";\"")
  if(index EQUAL 2)
    set(reason "it does not compile: b.cu(1): error: another one")
  endif()
  file(WRITE "${CASE_BINARY}/cells/c${index}.log"
    "FAILED: a.cu.o\nnvcc -c a.cu\n[2/4] Building b.cu.o\nwhat nvcc says to c${index}\n")
  _archgrid_write_cell_status("${CASE_BINARY}/cells/c${index}.json" ID c${index} STATUS failed STEP build SECONDS 1
    LOG cells/c${index}.log REASON "${reason}")
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${CASE_BINARY}"
  -P "${ARCHGRID_MODULES}/archgrid/detail/report_cells.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
string(REGEX REPLACE "[ \n]+" " " folded "${text}")
if(NOT folded MATCHES
    "c0 failed [^c]* 90 it does not compile: a.cu.1.: [^;]*;\"; log: [^ ]*/c0.log c1 failed [^c]* 90 as c0; log: [^ ]*/c1.log c2 failed [^c]* 90 it does not compile: b.cu.1.: [^;]*; log: [^ ]*/c2.log c3 failed [^c]* 90 as c0; log: [^ ]*/c3.log 4 cells: 0 built, 4 failed")
  message(FATAL_ERROR "with one error in three cells the table is\n${text}")
endif()
foreach(index RANGE 3)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DSTATUS=${CASE_BINARY}/cells/c${index}.json" -DCELL=c${index}
    -P "${ARCHGRID_MODULES}/archgrid/detail/show_cell.cmake" OUTPUT_VARIABLE text
    ERROR_VARIABLE text RESULT_VARIABLE result)
  set(excerpt "FAILED: a.cu.o\nwhat nvcc says to c${index}.*\nc${index}: it does not compile: ")
  if(index MATCHES "[13]")
    set(excerpt "^c${index}: failed as c0 did ")
  endif()
  if(result EQUAL 0 OR NOT text MATCHES "${excerpt}.*The whole log: [^\n]*/c${index}.log")
    message(FATAL_ERROR "the test BUILT of c${index} says\n${text}")
  endif()
endforeach()

# The log of a killed build ends with the running commands, and the test shows them.
file(WRITE "${CASE_BINARY}/cells/c2.log" "[1/4] Building a.cu.o\n[2/4] Building b.cu.o\n")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DSTATUS=${CASE_BINARY}/cells/c2.json" -DCELL=c2
  -P "${ARCHGRID_MODULES}/archgrid/detail/show_cell.cmake" OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT text MATCHES "\\[2/4\\] Building b\\.cu\\.o")
  message(FATAL_ERROR "of a build that was killed the test BUILT says\n${text}")
endif()
