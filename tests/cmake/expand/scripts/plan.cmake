# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the plan of whole.json against the committed one, on stdout and in a file, and the jobs.
cmake_minimum_required(VERSION 3.25)
set(expand "${ARCHGRID_MODULES}/archgrid/expand.cmake")
file(COPY "${CASE_SOURCE}/../whole.json" DESTINATION "${CASE_BINARY}")

execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=whole.json -P "${expand}"
                OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=whole.json -DOUTPUT=sub/plan.json -P "${expand}"
                OUTPUT_VARIABLE silence COMMAND_ERROR_IS_FATAL ANY)
file(READ "${CASE_BINARY}/sub/plan.json" written)
file(READ "${CASE_SOURCE}/../whole.plan.json" expected)
if(NOT printed STREQUAL expected)
  file(WRITE "${CASE_BINARY}/printed.json" "${printed}")
  message(SEND_ERROR "${CASE_BINARY}/printed.json is not whole.plan.json")
elseif(NOT written STREQUAL expected OR NOT silence STREQUAL "")
  message(SEND_ERROR "OUTPUT wrote another plan than was printed, or printed: ${silence}")
endif()

# An unchanged plan is not written, so that nothing is rebuilt; no other file remains in the folder.
file(TIMESTAMP "${CASE_BINARY}/sub/plan.json" before "%s")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=whole.json -DOUTPUT=sub/plan.json -P "${expand}"
  COMMAND_ERROR_IS_FATAL ANY)
file(TIMESTAMP "${CASE_BINARY}/sub/plan.json" after "%s")
file(GLOB files RELATIVE "${CASE_BINARY}/sub" "${CASE_BINARY}/sub/*")
if(NOT before STREQUAL after OR NOT files STREQUAL "plan.json")
  message(SEND_ERROR "the plan was written again (${before}, ${after}), or files were left: ${files}")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=whole.json -DFORMAT=github -P "${expand}"
                OUTPUT_VARIABLE jobs COMMAND_ERROR_IS_FATAL ANY)
string(CONCAT expected "{\"include\": [{\"name\": \"sm86\", \"device\": \"8.6\", \"preset\": \"sm86\", "
       "\"runner\": [\"self-hosted\", \"gpu\", \"a10\"], \"cells\": [\"cu118-fat\", \"cu130-debug-sm86\"]}, "
       "{\"name\": \"sm90\", \"device\": \"9.0\", \"preset\": \"sm90\", \"runner\": [\"self-hosted\", \"gpu\", \"h100\"], "
       "\"cells\": [\"cu118-fat\", \"cu118-sm90\", \"cu130-fat\", \"cu130-sm90a\", \"cu130-debug-fat\", \"cu130-debug-sm90\"]}]}\n")
if(NOT jobs STREQUAL expected)
  message(SEND_ERROR "jobs are\n${jobs}and should be\n${expected}")
endif()
