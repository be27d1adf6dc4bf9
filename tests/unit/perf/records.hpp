// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_RECORDS_HPP
#define ARCHGRID_TESTS_RECORDS_HPP

#include <archgrid/perf_records/record.hpp>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::tests {

inline perf::Key some_key() {
  return {"NVIDIA H200", "9.0", "580.65.06", "13.0", "locked 1980 MHz"};
}

inline perf::Run some_run(std::vector<double> seconds, const std::string& build = "cu130-sm90") {
  perf::Run run;
  run.build = build;
  run.date = "2026-02-01T12:30:00Z";
  run.seconds = std::move(seconds);
  run.throttled = false;
  return run;
}

inline perf::Record some_record() {
  perf::Record record;
  record.key = some_key();
  record.ceilings = {{"fp32", "FLOP/s", 6e13}, {"DRAM", "B/s", 4.2e12}};
  record.benchmarks = {{"gemm/1024", perf::Cache::hot, {1.2e7, 2.1e9}, {some_run({1e-3, 1.1e-3})}},
                       {"gemm/1024", perf::Cache::cold, {1.2e7, 2.1e9}, {some_run({2e-3})}}};
  return record;
}

}  // namespace archgrid::tests

#endif
