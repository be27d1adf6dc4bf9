// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>
#include <regex>
#include <stdexcept>
#include <utility>

#include "merge_read.hpp"

namespace archgrid::report {
namespace {

constexpr const char* kFakeReason = "its CUDA runtime is a fake, which runs no kernel";
constexpr const char* kNoGpuReason = "its program met no GPU";
constexpr const char* kGpuSuites = "archgrid GPU tests";
constexpr std::string_view kAuditSuites = "archgrid: ";

std::string value_of(pugi::xml_node node, const char* name) {
  return node.attribute(name).value();
}

/// Returns the cell that begins the text before `end`, "cu130-sm90"; empty if none does. Names are
/// as long as their writers like, and std::regex takes stack for each character.
std::string cell_before(const std::string& text, std::string_view end) {
  static const std::regex cell(R"(cu[0-9]+(-[a-z0-9]+)?-(fat|(sm|compute)[0-9]+[af]?))");
  constexpr std::size_t kMaxCell = 100;
  const auto place = text.substr(0, kMaxCell).find(end);
  if (place == std::string::npos) return {};
  auto name = text.substr(0, place);
  return std::regex_match(name, cell) ? name : std::string();
}

bool has_failed_in_gpu_case(const std::string& outcome) {
  return outcome == "failed" || outcome == "missing-arch" || outcome == "jitted";
}

/// Counts a pass only if a real GPU ran it.
void set_gpu_pass(JobCase& one, bool is_fake) {
  one.outcome = CaseOutcome::passed;
  if (!is_fake && !one.gpu.empty()) return;
  one.outcome = CaseOutcome::not_run;
  one.reason = is_fake ? kFakeReason : kNoGpuReason;
}

/// Sets failure or skip from the child elements of a test case. Returns false if it has none.
bool read_elements(pugi::xml_node node, JobCase& one) {
  for (const char* kind : {"failure", "error", "skipped"}) {
    const auto element = node.child(kind);
    if (!element) continue;
    const bool is_skip = std::string_view(kind) == "skipped";
    one.outcome = is_skip ? CaseOutcome::skipped : CaseOutcome::failed;
    one.reason = value_of(element, "message");
    if (one.reason.empty()) one.reason = element.child_value();
    return true;
  }
  return false;
}

/// Lines of a GPU test's output.
struct PrintedLines {
  std::string gpu;
  std::string end;   ///< "no-gpu: no driver is installed"
  std::string last;  ///< the last line that is not empty
  bool fake = false;
  bool needs_gpu = false;
};

void read_printed_line(std::string_view line, PrintedLines& lines) {
  const auto after = [line](std::string_view begin) {
    auto rest = line.substr(begin.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return std::string(rest);
  };
  if (line.find_first_not_of(" \t\r") != std::string_view::npos) lines.last = line;
  if (!line.starts_with("archgrid: ")) return;
  for (const std::string_view begin : {"archgrid: failed:", "archgrid: skipped:"}) {
    if (line.starts_with(begin)) lines.end = after(begin);
  }
  const bool is_runtime = line.starts_with("archgrid: runtime ");
  lines.fake = lines.fake || (is_runtime && line.find(", fake") != std::string_view::npos);
  if (line.starts_with("archgrid: gpu ")) {
    const auto gpu = after("archgrid: gpu ");
    lines.gpu = gpu.substr(0, gpu.rfind(", device "));
  }
  lines.needs_gpu = lines.needs_gpu || is_runtime || !lines.gpu.empty() ||
                    line.starts_with("archgrid: record ") ||
                    line.starts_with("archgrid: skipped: no-gpu");
}

PrintedLines printed_lines(std::string_view output) {
  PrintedLines lines;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    read_printed_line(output.substr(0, end), lines);
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return lines;
}

/// Reads a case of ctest, which calls a test skipped whose program is missing.
ReadCase read_ctest_case(pugi::xml_node node, const std::string& program) {
  const auto test = value_of(node, "name");
  auto one = named_case(test, program);
  const auto lines = printed_lines(node.child_value("system-out"));
  one.needs_gpu = lines.needs_gpu;
  one.gpu = lines.fake ? "" : lines.gpu;
  const auto status = value_of(node, "status");
  const auto skip = value_of(node.child("skipped"), "message");
  if (status == "run") {
    one.outcome = CaseOutcome::passed;
    if (one.needs_gpu) set_gpu_pass(one, lines.fake);
  } else if (status == "disabled") {
    one.outcome = CaseOutcome::skipped;
    one.reason = "disabled";
  } else if (skip.starts_with("SKIP_R")) {  // ETURN_CODE or EGULAR_EXPRESSION
    one.outcome = CaseOutcome::skipped;
    one.reason = lines.end.empty() ? skip : lines.end;
  } else {
    one.outcome = CaseOutcome::failed;
    one.reason = !skip.empty() ? "not run: " + skip : lines.end.empty() ? lines.last : lines.end;
    if (one.reason.empty()) one.reason = "it printed nothing";
  }
  if (one.outcome == CaseOutcome::skipped) one.gpu.clear();
  return {test, std::move(one)};
}

std::string suite_property(pugi::xml_node suite, const char* name) {
  const auto property = suite.child("properties").find_child_by_attribute("property", "name", name);
  return value_of(property, "value");
}

/// Reads a case of gpu-tests.xml.
ReadCase read_gpu_junit_case(pugi::xml_node node) {
  const auto test = value_of(node, "classname");
  auto one = named_case(test, test);
  const auto suite = node.parent();
  const bool is_fake = suite_property(suite, "fake") == "true";
  const auto name = value_of(node, "name");
  one.name = name == "(program)" ? "" : name;
  one.needs_gpu = true;
  one.gpu = is_fake ? "" : suite_property(suite, "gpu");
  if (!read_elements(node, one)) {
    set_gpu_pass(one, is_fake);
  } else if (value_of(node.child("error"), "type") == "not-run") {
    one.outcome = CaseOutcome::not_run;
  }
  if (one.outcome != CaseOutcome::passed && one.outcome != CaseOutcome::failed) one.gpu.clear();
  return {test, std::move(one)};
}

ReadCase read_audit_junit_case(pugi::xml_node node) {
  constexpr std::string_view kEnd = ": ";
  JobCase one;
  one.program = "audit";
  auto suite = value_of(node, "classname");
  one.place = cell_before(suite, kEnd);
  if (!one.place.empty()) suite.erase(0, one.place.size() + kEnd.size());
  one.name = suite + ": " + value_of(node, "name");
  one.outcome = CaseOutcome::passed;
  read_elements(node, one);
  return {"", std::move(one)};
}

/// Reads a case of GoogleTest or of another program.
ReadCase read_other_case(pugi::xml_node node, const ResultFile& file) {
  JobCase one;
  const auto slash = file.path.find_last_of("/\\");
  one.program = slash == std::string::npos ? file.path : file.path.substr(slash + 1);
  one.program.resize(std::min(one.program.rfind('.'), one.program.size()));
  one.place = file.folder;
  const auto name = value_of(node, "name");
  const auto group = value_of(node, "classname");
  one.name = group.empty() || group == name ? name : group + "." + name;
  one.outcome = CaseOutcome::passed;
  const auto result = value_of(node, "result");
  if (!read_elements(node, one) && (result == "suppressed" || result == "skipped")) {
    one.outcome = CaseOutcome::skipped;
    one.reason = result == "suppressed" ? "disabled" : "";
  }
  return {"", std::move(one)};
}

ResultKind kind_of(pugi::xml_node root, pugi::xml_node first_case) {
  const auto name = value_of(root, "name");
  if (name == kGpuSuites) return ResultKind::gpu_junit;
  if (name.starts_with(kAuditSuites)) return ResultKind::audit_junit;
  const auto status = value_of(first_case, "status");
  const bool is_ctest = std::string_view(root.name()) == "testsuite" && !status.empty() &&
                        first_case.attribute("result").empty();
  return is_ctest ? ResultKind::ctest : ResultKind::other;
}

/// Collects the test cases of all suites, without recursion.
struct CaseCollector : pugi::xml_tree_walker {
  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "testcase") cases.push_back(node);
    return true;
  }
  std::vector<pugi::xml_node> cases;
};

ReadCase read_junit_case(pugi::xml_node node, ResultKind kind, const ResultFile& file,
                         const std::string& ctest) {
  switch (kind) {
    case ResultKind::gpu_junit:
      return read_gpu_junit_case(node);
    case ResultKind::audit_junit:
      return read_audit_junit_case(node);
    case ResultKind::ctest:
      return read_ctest_case(node, ctest);
    default:
      return read_other_case(node, file);
  }
}

JobCase case_of(const GpuProgram& program, const GpuCase& one) {
  auto result = named_case(program.name, program.name);
  result.name = one.name;
  result.needs_gpu = true;
  result.gpu = program.fake ? "" : program.gpu;
  result.reason = one.reason;
  if (has_failed_in_gpu_case(one.outcome)) {
    result.outcome = CaseOutcome::failed;
    if (one.outcome != "failed") result.reason = one.outcome + ": " + one.reason;
  } else if (one.outcome == "passed") {
    set_gpu_pass(result, program.fake);
  } else {
    const bool was_skipped = one.outcome == "skipped" || one.outcome == "empty";
    result.outcome = was_skipped ? CaseOutcome::skipped : CaseOutcome::not_run;
    if (one.outcome == "empty" && one.reason.empty()) result.reason = "it launched no kernel";
    result.gpu.clear();
  }
  return result;
}

}  // namespace

JobCase named_case(const std::string& test, const std::string& program) {
  JobCase one;
  one.place = cell_before(test, "/");
  if (one.place.empty()) {
    one.program = program;
    if (program != test) one.name = test;
    return one;
  }
  const auto rest = test.substr(one.place.size() + 1);
  const auto end = std::min(rest.find_first_of("/."), rest.size());
  one.program = rest.substr(0, end);
  one.name = rest.substr(std::min(end + 1, rest.size()));
  return one;
}

std::vector<ReadCase> cases_of(const GpuProgram& program) {
  std::vector<ReadCase> cases;
  for (const auto& one : program.cases) cases.push_back({program.name, case_of(program, one)});
  const bool has_passed = program.outcome == "passed" || program.outcome == "skipped";
  if (program.failed_beside_its_cases || (program.cases.empty() && !has_passed)) {
    cases.push_back({program.name, case_of(program, {"", "failed", "", 0, false})});
    cases.back().one.reason = program.code + ": " + program.message;
  }
  return cases;
}

FileResults read_junit_results(const std::string& text, const ResultFile& file) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    throw std::runtime_error(
        fmt::format("damaged XML: {} at byte {}", parsed.description(), parsed.offset));
  }
  const auto root = document.document_element();
  const std::string_view name = root.name();
  if (name != "testsuites" && name != "testsuite") {
    return {ResultKind::none, fmt::format("XML with the root <{}>", name), "", {}};
  }
  CaseCollector collector;
  document.traverse(collector);
  if (collector.cases.empty()) {
    throw std::runtime_error("it has no test case: the run ended before its first one");
  }
  FileResults results{kind_of(root, collector.cases.front()), "JUnit", "", {}};
  const auto title = value_of(root, "name");
  if (results.kind == ResultKind::audit_junit) results.verdict = title.substr(kAuditSuites.size());
  const auto ctest = title.empty() || title == "(empty)" ? std::string("ctest") : title;
  for (const auto node : collector.cases) {
    results.cases.push_back(read_junit_case(node, results.kind, file, ctest));
  }
  return results;
}

}  // namespace archgrid::report
