// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <map>

#include "escape.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::State;

constexpr std::size_t kJunitMaxGroups = 50;  ///< of findings, per test
constexpr std::size_t kJunitMaxName = 300;

/// The findings of one test: of a suite on a device, or of one code if there is no device.
struct Test {
  std::string name;
  std::size_t promised = 0;  ///< kernels
  struct Broken {
    const coverage::Finding* first;
    const FindingGroup* group;
  };
  std::vector<Broken> broken;
  std::vector<const coverage::Ignored*> accepted;
};

struct Suite {
  std::string name;
  std::vector<Test> tests;
  std::vector<const coverage::Ignored*> accepted;  ///< findings without a test of their own
};

std::string suite_name(const ViewFile& file) {
  const auto& path = file.audit->file.path;
  return file.cell.empty() ? path : fmt::format("{}: {}", file.cell, path);
}

std::string suite_of(const coverage::Finding& finding) {
  if (finding.cell.empty()) return finding.path;
  return finding.path.empty() ? finding.cell : fmt::format("{}: {}", finding.cell, finding.path);
}

std::string test_name(const std::string& device) {
  return "device " + device;
}

/// Returns the tests that a finding fails.
std::vector<std::string> tests_of(const coverage::Finding& finding) {
  if (!finding.device.empty()) return {test_name(finding.device)};
  const auto& devices = finding.cause ? finding.cause->devices : finding.devices;
  if (devices.empty()) return {finding.code};
  std::vector<std::string> tests;
  for (const auto device : devices) tests.push_back(test_name(device.text()));
  return tests;
}

/// Returns the finding as it is on the device of a test, unless not all its kernels fail there.
coverage::Finding finding_in(const std::string& test, const coverage::Finding& finding) {
  auto own = finding;
  if (!own.cause || own.broken || own.cause->differs) return own;
  std::erase_if(own.cause->devices, [&](coverage::ComputeCapability device) {
    return test_name(device.text()) != test;
  });
  return own.cause->devices.empty() ? finding : own;
}

Suite suite_of(const View& view, const ViewFile& file) {
  Suite suite{suite_name(file), {}, {}};
  for (const auto device : *file.devices) {
    suite.tests.push_back({test_name(device.text()), 0, {}, {}});
  }
  for (const auto& kernel : file.kernels) {
    const auto& pattern = view.pattern_of(kernel);
    for (std::size_t index = 0; index < pattern.size(); ++index) {
      suite.tests[index].promised += pattern[index].state == State::not_promised ? 0 : 1;
    }
  }
  return suite;
}

Test& test_of(Suite& suite, const std::string& name) {
  for (auto& test : suite.tests) {
    if (test.name == name) return test;
  }
  return suite.tests.emplace_back(Test{name, 0, {}, {}});
}

/// Adds an ignored finding to the tests that it would fail, or to the suite.
void add_accepted(Suite& suite, const coverage::Ignored& ignored) {
  bool has_test = false;
  for (const auto& name : tests_of(ignored.finding)) {
    for (auto& test : suite.tests) {
      if (test.name != name) continue;
      test.accepted.push_back(&ignored);
      has_test = true;
    }
  }
  if (!has_test) suite.accepted.push_back(&ignored);
}

std::vector<Suite> suites_of(const View& view) {
  std::vector<Suite> suites;
  std::map<std::string, std::size_t> places;
  for (const auto& file : view.files) {
    places.emplace(suite_name(file), suites.size());
    suites.push_back(suite_of(view, file));
  }
  for (const auto& group : view.findings) {
    const auto place = suite_of(group.first());
    const auto name = place.empty() ? "promises" : place;
    const auto [found, fresh] = places.try_emplace(name, suites.size());
    if (fresh) suites.push_back({name, {}, {}});
    for (const auto* first : group.firsts) {
      for (const auto& test : tests_of(*first)) {
        test_of(suites[found->second], test).broken.push_back({first, &group});
      }
    }
  }
  for (const auto& audit : view.report.audits) {
    for (const auto& ignored : audit.ignored) {
      const auto place = suite_of(ignored.finding);
      const auto name = place.empty() ? "promises" : place;
      const auto [found, fresh] = places.try_emplace(name, suites.size());
      if (fresh) suites.push_back({name, {}, {}});
      add_accepted(suites[found->second], ignored);
    }
  }
  return suites;
}

std::string failure_text(const Test& test) {
  std::string text;
  std::size_t left = 0;
  for (std::size_t index = 0; index < test.broken.size(); ++index) {
    const auto& [first, group] = test.broken[index];
    const auto here = group->findings / group->firsts.size();
    if (index >= kJunitMaxGroups) {
      left += here;
      continue;
    }
    const auto finding = finding_in(test.name, *first);
    const FindingGroup one{{&finding}, here, group->kernels};
    text += fmt::format("{}: {}\n  {}\n", finding.code, subject_of(one, kJunitMaxName),
                        message_of(finding));
    const auto fix = fix_of(*first);
    if (!fix.empty()) text += fmt::format("  fix: {}\n", fix);
  }
  if (left > 0) text += fmt::format("and {}\n", count_text(left, "more finding"));
  return text;
}

/// Returns the ignored findings as output, which CI servers show and do not count, or an empty
/// string.
std::string accepted_xml(const std::vector<const coverage::Ignored*>& accepted) {
  if (accepted.empty()) return {};
  std::string text;
  const auto most = std::min(accepted.size(), kJunitMaxGroups);
  for (std::size_t index = 0; index < most; ++index) {
    const auto& [finding, reason] = *accepted[index];
    const FindingGroup one{{&finding}, 1, finding.kernels};
    text += fmt::format("ignored: {}\n  {}: {}\n", reason, finding.code,
                        subject_of(one, kJunitMaxName));
  }
  if (accepted.size() > most) {
    text += fmt::format("and {}\n", count_text(accepted.size() - most, "more finding"));
  }
  return fmt::format("      <system-out>{}</system-out>\n", xml_text(text));
}

std::string test_xml(const Suite& suite, const Test& test) {
  auto xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                         xml_text(suite.name), xml_text(test.name));
  const auto accepted = accepted_xml(test.accepted);
  if (!test.broken.empty()) {
    const auto& finding = *test.broken.front().first;
    std::size_t findings = 0;
    for (const auto& broken : test.broken) {
      findings += broken.group->findings / broken.group->firsts.size();
    }
    return xml + fmt::format(
                     ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n{}    "
                     "</testcase>\n",
                     xml_text(finding.code),
                     xml_text(fmt::format("{}, the first: {}", count_text(findings, "finding"),
                                          explain(finding.code).title)),
                     xml_text(failure_text(test)), accepted);
  }
  if (test.promised == 0) {
    return xml + ">\n      <skipped message=\"no kernel of it is promised there\"/>\n" + accepted +
           "    </testcase>\n";
  }
  return accepted.empty() ? xml + "/>\n" : xml + ">\n" + accepted + "    </testcase>\n";
}

void write_suite(const Suite& suite, const Sink& sink) {
  std::size_t failures = 0;
  std::size_t skipped = 0;
  for (const auto& test : suite.tests) {
    if (!test.broken.empty()) {
      ++failures;
    } else if (test.promised == 0) {
      ++skipped;
    }
  }
  sink(
      fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                  "skipped=\"{}\" time=\"0\">\n",
                  xml_text(suite.name), suite.tests.size(), failures, skipped));
  for (const auto& test : suite.tests) sink(test_xml(suite, test));
  sink(accepted_xml(suite.accepted));
  sink("  </testsuite>\n");
}

void write_errors(const View& view, const Sink& sink) {
  sink(
      fmt::format("  <testsuite name=\"inputs\" tests=\"{0}\" failures=\"0\" errors=\"{0}\" "
                  "skipped=\"0\" time=\"0\">\n",
                  view.errors.size()));
  for (std::size_t index = 0; index < view.errors.size(); ++index) {
    sink(
        fmt::format("    <testcase classname=\"inputs\" name=\"unreadable {}\" time=\"0\">\n"
                    "      <error type=\"unreadable\" message=\"{}\"/>\n    </testcase>\n",
                    index + 1, xml_text(view.errors[index])));
  }
  sink("  </testsuite>\n");
}

/// Writes a test with an error for each GPU without a yes, where nothing else fails.
void write_unanswered(const View& view, const Sink& sink) {
  sink(
      fmt::format("  <testsuite name=\"answers\" tests=\"{0}\" failures=\"0\" errors=\"{0}\" "
                  "skipped=\"0\" time=\"0\">\n",
                  view.totals.unanswered));
  for (const auto device : gpus_without_yes(view.report)) {
    sink(
        fmt::format("    <testcase classname=\"answers\" name=\"{}\" time=\"0\">\n"
                    "      <error type=\"unanswered\" message=\"{}\"/>\n    </testcase>\n",
                    test_name(device.text()), xml_text(view.verdict)));
  }
  sink("  </testsuite>\n");
}

}  // namespace

void write_junit(const View& view, const Sink& sink) {
  const auto suites = suites_of(view);
  const auto errors = view.totals.unreadable + view.totals.unanswered;
  auto tests = errors;
  std::size_t failures = 0;
  for (const auto& suite : suites) {
    tests += suite.tests.size();
    for (const auto& test : suite.tests) failures += test.broken.empty() ? 0 : 1;
  }
  sink(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"archgrid: {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                  "time=\"0\">\n",
                  xml_text(view.verdict), tests, failures, errors));
  for (const auto& suite : suites) write_suite(suite, sink);
  if (!view.errors.empty()) write_errors(view, sink);
  if (view.totals.unanswered > 0) write_unanswered(view, sink);
  sink("</testsuites>\n");
}

}  // namespace archgrid::report
