# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a fuzz target: cmake -DPROGRAM= -DSEEDS= -DFOLDER= -DSECONDS= -P run.cmake
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/corpus")
file(GLOB_RECURSE seeds "${SEEDS}/*.o" "${SEEDS}/*.cubin" "${SEEDS}/*.fatbin" "${SEEDS}/*.ptx")
set(number 0)
foreach(seed IN LISTS seeds)
  math(EXPR number "${number} + 1")
  file(COPY_FILE "${seed}" "${FOLDER}/corpus/${number}")
endforeach()
execute_process(
  COMMAND "${PROGRAM}" -max_total_time=${SECONDS} -max_len=65536 -rss_limit_mb=3000 -timeout=20
    -print_final_stats=1 "-artifact_prefix=${FOLDER}/" "${FOLDER}/corpus"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed (${result}) on the input kept in ${FOLDER}:\n${output}")
endif()
string(REGEX MATCH "stat::number_of_executed_units: [0-9]+" executed "${output}")
message("${executed}, ${number} seeds")
