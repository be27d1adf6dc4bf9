# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a fuzz target:
#   cmake -DNAME= -DPROGRAM= -DMAKE_SEEDS= -DSAMPLES= -DFOLDER= -DSECONDS= -P run.cmake
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/corpus")
file(GLOB_RECURSE samples
  "${SAMPLES}/*.o" "${SAMPLES}/*.so" "${SAMPLES}/*.cubin" "${SAMPLES}/*.fatbin" "${SAMPLES}/*.ptx"
  "${SAMPLES}/*.obj" "${SAMPLES}/*.dll" "${SAMPLES}/*.exe")
execute_process(COMMAND "${MAKE_SEEDS}" ${NAME} "${FOLDER}/corpus" ${samples}
  RESULT_VARIABLE result OUTPUT_VARIABLE seeds OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "No seeds from the samples in ${SAMPLES} (${result}): build archgrid_samples")
endif()

# Inputs may be larger than any sample: work that grows faster than they do becomes a timeout.
execute_process(
  COMMAND "${PROGRAM}" -max_total_time=${SECONDS} -max_len=2097152 -rss_limit_mb=3000 -timeout=20
    -print_final_stats=1 "-artifact_prefix=${FOLDER}/" "${FOLDER}/corpus"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed (${result}) on the input kept in ${FOLDER}:\n${output}")
endif()
string(REGEX MATCHALL "read as [a-z0-9 ]+: [0-9]+" tally "${output}")
if(tally MATCHES "read as [a-z0-9 ]+: 0(;|$)")
  message(FATAL_ERROR "${PROGRAM} found nothing with one of its parsers: ${tally}")
endif()
string(REGEX MATCH "stat::number_of_executed_units: [0-9]+" executed "${output}")
message("${executed}, ${seeds}; ${tally}")
