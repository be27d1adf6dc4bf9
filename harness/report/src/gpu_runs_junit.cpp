// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/report/gpu_runs.hpp>

#include "escape.hpp"

namespace archgrid::report {
namespace {

/// The name of a test case that represents the program.
constexpr const char* kProgram = "(program)";

struct JunitCounts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;
};

/// Returns the element for an outcome, and counts it; empty for a pass.
std::string element_of(const std::string& outcome, const std::string& type,
                       const std::string& message, JunitCounts& counts) {
  if (outcome == "passed") return "";
  if (outcome == "skipped" || outcome == "empty") {
    ++counts.skipped;
    return fmt::format("<skipped message=\"{}\"/>", xml_text(message));
  }
  // A case that was not reached must not look like a skipped one.
  const bool is_failure = outcome == "failed" || outcome == "missing-arch" || outcome == "jitted";
  ++(is_failure ? counts.failures : counts.errors);
  return fmt::format("<{} type=\"{}\" message=\"{}\"/>", is_failure ? "failure" : "error",
                     xml_text(type), xml_text(message));
}

std::string case_xml(const std::string& program, const std::string& name, double seconds,
                     const std::string& element) {
  const auto begin = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                 xml_text(program), xml_text(name), seconds);
  return begin + (element.empty() ? "/>\n" : ">" + element + "</testcase>\n");
}

/// Returns the GPU that ran the program, without which a pass proves nothing.
std::string properties_xml(const GpuProgram& program) {
  std::string properties;
  const auto add = [&properties](const char* name, const std::string& value) {
    properties += fmt::format("<property name=\"{}\" value=\"{}\"/>", name, xml_text(value));
  };
  if (!program.gpu.empty()) add("gpu", program.gpu);
  if (program.fake) add("fake", "true");
  return properties.empty() ? "" : "    <properties>" + properties + "</properties>\n";
}

std::string suite_xml(const GpuProgram& program, JunitCounts& all) {
  JunitCounts counts;
  std::string cases;
  for (const auto& one : program.cases) {
    if (one.name.empty()) continue;
    ++counts.tests;
    counts.seconds += one.seconds;
    const auto element = element_of(one.outcome, one.outcome, one.reason, counts);
    cases += case_xml(program.name, one.name, one.seconds, element);
  }
  if (program.record.empty() || program.failed_beside_its_cases) {
    ++counts.tests;
    const bool has_failed = program.outcome != "passed" && program.outcome != "skipped";
    const auto element = element_of(has_failed ? "ended" : program.outcome, program.code,
                                    program.code + ": " + program.message, counts);
    cases += case_xml(program.name, kProgram, 0, element);
  }
  all.tests += counts.tests;
  all.failures += counts.failures;
  all.errors += counts.errors;
  all.skipped += counts.skipped;
  all.seconds += counts.seconds;
  return fmt::format(
             "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
             "time=\"{:.3f}\">\n",
             xml_text(program.name), counts.tests, counts.failures, counts.errors, counts.skipped,
             counts.seconds) +
         properties_xml(program) + cases + "  </testsuite>\n";
}

}  // namespace

void gpu_runs_junit(const GpuRuns& runs, const Sink& sink) {
  JunitCounts all;
  std::string suites;
  for (const auto& program : runs.programs) suites += suite_xml(program, all);
  sink(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"archgrid GPU tests\" tests=\"{}\" failures=\"{}\" "
                  "errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
                  all.tests, all.failures, all.errors, all.skipped, all.seconds));
  sink(suites);
  sink("</testsuites>\n");
}

}  // namespace archgrid::report
