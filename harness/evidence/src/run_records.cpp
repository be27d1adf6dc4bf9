// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/evidence/run_records.hpp>
#include <charconv>
#include <chrono>

#include "checked.hpp"

namespace archgrid::evidence {
namespace {

using nlohmann::json;

/// Returns the day in which a run began: "4711-1764098765123456", process and microsecond.
std::string date_of(const std::string& run) {
  const auto dash = run.find('-') + 1;
  std::uint64_t microseconds = 0;
  const auto* end = run.data() + run.size();
  const auto read = std::from_chars(run.data() + dash, end, microseconds);
  constexpr std::uint64_t kMax = std::uint64_t{1} << 52;
  if (dash == 0 || read.ec != std::errc() || read.ptr != end || microseconds > kMax) {
    throw Invalid(fmt::format("\"run\" is \"{}\", which is no process and time", run));
  }
  const std::chrono::sys_time<std::chrono::microseconds> begin{
      std::chrono::microseconds(microseconds)};
  return fmt::format("{:%Y-%m-%d}", std::chrono::time_point_cast<std::chrono::seconds>(begin));
}

/// Returns "cu130-fat/gemm", or the program's name.
std::string program_of(const json& record) {
  if (record.contains("test")) return text_at(record, "test");
  return std::filesystem::path(text_at(record, "program")).filename().string();
}

/// Returns "cu130-fat/gemm_test", or the program's file alone without a cell.
std::string file_of(const json& record) {
  const auto file = std::filesystem::path(text_at(record, "program")).filename().string();
  return record.contains("cell") ? text_at(record, "cell") + '/' + file : file;
}

/// Reports whether the run passed. Throws if it has a failed test all the same.
bool has_passed(const json& record) {
  if (record.value("outcome", "") != "passed") return false;
  const auto& tests = record.at("tests");
  const bool has_failed = std::any_of(tests.begin(), tests.end(), [](const json& test) {
    return test.value("outcome", "") == "failed";
  });
  if (has_failed) throw Invalid("its outcome is \"passed\" although a test of it failed");
  return true;
}

/// Reports whether the tests of a run that passed are to be believed: the run passed, or other
/// tests failed. A sanitizer, a crash or a failure after the tests leaves doubts.
bool is_believed(const json& record) {
  return has_passed(record) ||
         (record.value("outcome", "") == "failed" && record.value("code", "") == "tests");
}

/// Throws unless the test is one of the record that passed.
void expect_passed(const json& record, const std::string& test) {
  const auto& tests = record.at("tests");
  const bool has_passed = std::any_of(tests.begin(), tests.end(), [&](const json& one) {
    return one.value("name", "") == test && one.value("outcome", "") == "passed";
  });
  if (!has_passed)
    throw Invalid(
        fmt::format("{} is said to have run a kernel, but is no passed test of the record", test));
}

/// Returns the place and the time of a run.
Run run_in(const json& record) {
  Run run;
  const auto& gpu = record.at("gpu");
  run.device = device_at(gpu, "capability");
  run.gpu = text_at(gpu, "name");
  const auto* driver = record.contains("driver_release") ? "driver_release" : "driver";
  if (record.contains(driver)) run.driver = text_at(record, driver);
  run.test = program_of(record);
  run.date = date_of(text_at(record, "run"));
  return run;
}

void add_record(const json& record, RunRecords& records) {
  if (!record.is_object() || record.value("schema", "") != "archgrid.gpu-tests/1") {
    throw Invalid("it is no record of a GPU test program (archgrid.gpu-tests/1)");
  }
  ++records.runs;
  if (record.contains("fake")) {
    ++records.fake;
    return;
  }
  if (!record.at("gpu").is_object()) {
    ++records.without_gpu;
    return;
  }
  if (!is_believed(record)) {
    ++records.broken;
    if (record.contains("code_hash")) {
      records.failed.push_back({file_of(record), identity_at(record, "code_hash"), run_in(record)});
    }
    return;
  }
  if (!record.contains("executed")) {
    ++records.without_kernel;
    return;
  }
  const Run run = run_in(record);
  for (const auto& executed : record.at("executed")) {
    expect_keys(executed, {"kernel", "arch", "identity", "test"}, {});
    const auto test = text_at(executed, "test");
    expect_passed(record, test);
    records.executions.push_back(
        {fatbin::without_build(text_at(executed, "kernel")), code_at(executed), run});
    records.executions.back().run.test += ": " + test;
  }
  if (record.contains("code_hash")) {
    PassedProgram program{file_of(record), identity_at(record, "code_hash"), run};
    (has_passed(record) ? records.passed : records.failed).push_back(std::move(program));
  }
  records.programs.push_back(text_at(record, "program"));
}

}  // namespace

RunRecords read_run_records(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& problem) {
    throw EvidenceError(
        fmt::format("{}: {}. Fix: name the file that ctest leaves "
                    "(Testing/gpu-tests.json) or --archgrid_json=FILE",
                    fatbin::printable(path.string()), problem));
  };
  RunRecords records;
  try {
    const auto document = json::parse(coverage::read_text_file(path, kMaxBytes));
    if (document.is_object() && document.value("schema", "") == "archgrid.gpu-runs/1") {
      for (const auto& record : document.at("runs")) add_record(record, records);
    } else {
      add_record(document, records);
    }
  } catch (const coverage::FileError& error) {
    throw EvidenceError(error.what());
  } catch (const json::exception& error) {
    fail(fmt::format("it cannot be read ({})", error.what()));
  } catch (const Invalid& error) {
    fail(error.what());
  }
  return records;
}

KnownCode code_in(const std::vector<fatbin::File>& files,
                  const std::set<coverage::ComputeCapability>& devices) {
  KnownCode code;
  for (const auto& file : files) {
    const coverage::ImageSelector selector(file);
    coverage::CodeFinder finder(selector);
    for (const auto device : devices) {
      code.hashes.emplace(coverage::code_hash_of(selector, device), device);
      for (const auto& row : selector.kernels()) {
        const auto kernel = fatbin::without_build(row.name.str());
        for (const auto& one : finder.code_of(row, device, nullptr)) {
          code.kernels.emplace(kernel, device, one);
        }
      }
    }
  }
  return code;
}

void expect_known(const RunRecords& records, const KnownCode& code,
                  const std::filesystem::path& path) {
  const auto fail = [&](const std::string& what) {
    throw EvidenceError(fmt::format(
        "{}: no binary has {}: the record is of another build, or not of these programs. Fix: name "
        "the binaries that ran (--binaries), or run the tests again",
        fatbin::printable(path.string()), what));
  };
  for (const auto& execution : records.executions) {
    const auto& [kernel, one, run] = execution;
    if (code.kernels.count({kernel, run.device, one}) != 0) continue;
    fail(fmt::format("its code of {} for {} ({} {})", fatbin::demangle(kernel), run.device.text(),
                     one.arch, one.identity));
  }
  for (const auto& program : records.passed) {
    if (code.hashes.count({program.code_hash, program.run.device}) != 0) continue;
    fail(fmt::format("the whole code of {} ({})", program.program, program.code_hash));
  }
}

}  // namespace archgrid::evidence
