# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks with made-up records that tests/bench/sparse_targets distinguishes reached, missed and
# unmeasured targets:
#   cmake -DTARGETS=<tests/bench/sparse_targets> -DWORK=<folder> -P sparse_targets_test.cmake
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY "${WORK}")

# benchmark(<name> <bytes> <microseconds>): adds a benchmark to `benchmarks`.
function(benchmark name bytes microseconds)
  set(run
    "{\"build\": \"x\", \"date\": \"2026-01-01T00:00:00Z\", \"throttled\": false, \"throttle_reasons\": [], \"seconds\": [${microseconds}e-6]}")
  set(slow
    "{\"build\": \"x\", \"date\": \"2026-01-01T00:00:00Z\", \"throttled\": true, \"throttle_reasons\": [\"heat\"], \"seconds\": [1e-9]}")
  list(APPEND benchmarks
    "{\"name\": \"${name}\", \"cache\": \"hot\", \"bytes\": ${bytes}, \"flops\": 0, \"runs\": [${run}, ${slow}]}")
  set(benchmarks "${benchmarks}" PARENT_SCOPE)
endfunction()

# expect(<exit code> <regex>...): checks the output for a record with `benchmarks`.
function(expect code)
  list(JOIN benchmarks ", " all)
  file(WRITE "${WORK}/record.json"
    "{\"schema\": \"archgrid.perf/1\", \"key\": {\"gpu\": \"G\", \"compute_capability\": \"9.0\", \"driver\": \"580\",
    \"toolkit\": \"13.0\", \"clocks\": \"default\"}, \"ceilings\": [{\"name\": \"memory\", \"unit\": \"B/s\", \"per_second\": 1e12}], \"benchmarks\": [${all}]}")
  execute_process(COMMAND "${TARGETS}" "${WORK}/record.json" OUTPUT_VARIABLE text
    ERROR_VARIABLE text RESULT_VARIABLE result)
  foreach(regex IN LISTS ARGN)
    if(NOT result EQUAL code OR NOT text MATCHES "${regex}")
      message(FATAL_ERROR "exit ${result}, and no match for ${regex} in\n${text}")
    endif()
  endforeach()
endfunction()

expect(2 "2:4 from 4096 on: beside our dense product +1.30 +-  not measured" "targets: not all measured")

# 0.95 of 1 TB/s; 2 and 0.72 times cuSPARSE's best, with a geometric mean of 1.2.
benchmark(spmv.chosen_f32_banded_27 95000000 100)
benchmark(spmv.chosen_f16_uniform_64 90000000 100)
benchmark(spmv.chosen_f32_power_law_16 10000000 100)
benchmark(spmv.spmv_merge_f32_banded_27 95000000 1)
benchmark(cusparse.spmv.csr_alg1_f32_banded_27 95000000 300)
benchmark(cusparse.spmv.coo_alg2_f32_banded_27 95000000 200)
benchmark(cusparse.spmv.sell_alg1_f16_uniform_64 90000000 72)
benchmark(spmm.chosen_uniform_32_rows_8 1 10)
benchmark(cusparse.spmm.csr_alg3_uniform_32_rows_8 1 12)
benchmark(structured.structured_f16_square_4096 1 100)
benchmark(structured.structured_f16_square_4096.dense 1 131)
benchmark(structured.prune_8192 1 1)
benchmark(bucketize.short_bags 71000000 100)
benchmark(bucketize.long_bags_with_all 72000000 100)
expect(0 "SpMV, regular matrices: of memory bandwidth +0.90 +0.95  1, least 0.95: f32_banded_27"
  "SpMV: beside the best of cuSPARSE +1.10 +1.20  2, least 0.72: f16_uniform_64"
  "SpMM: beside the best of cuSPARSE +1.20 +1.20  1, least 1.20: uniform_32_rows_8"
  "beside our dense product +1.30 +1.31  1" "bucketize: of memory bandwidth +0.70 +0.71  2, least 0.71: short_bags"
  "targets: reached")

set(measured "${benchmarks}")
benchmark(spmv.chosen_f16_banded_27 111000000 100)
expect(2 "of memory bandwidth +0.90 +-  1.11 is more than memory gives: f16_banded_27" "targets: not all measured")

set(benchmarks "${measured}")
benchmark(bucketize.long_bags 1000000 100)
expect(1 "bucketize: of memory bandwidth +0.70 +0.01  MISSED, 3, least 0.01: long_bags" "targets: missed")
