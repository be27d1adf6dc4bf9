// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/report.hpp>
#include <archgrid/report/codes.hpp>
#include <array>
#include <string_view>

#include "escape.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

// GitHub shows ten annotations per step.
constexpr std::size_t kGithubMaxAnnotations = 10;
constexpr std::size_t kGithubMaxName = 300;

std::string annotation(const View& view, const FindingFold& fold) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  auto subject = subject_of(group, kGithubMaxName);
  if (fold.groups.size() > 1) {
    subject += (subject.empty() ? "in " : ", in ") + count_text(fold.groups.size(), "file");
  }
  const auto message =
      fmt::format("{}{}{}{}{}", subject, subject.empty() ? "" : ": ", message_of(group),
                  fix_of(finding).empty() ? "" : "\nfix: ", fix_of(view, fold));
  const auto cell = finding.cell.empty() ? std::string() : fmt::format(", cell {}", finding.cell);
  return report::annotation(
      finding.path, fmt::format("{}: {}{}", finding.code, explain(finding.code).title, cell),
      message);
}

}  // namespace

std::string audit_annotations(const View& view) {
  if (view.totals.unanswered > 0) return annotation("", "unanswered", view.verdict);
  std::vector<std::string> annotations;
  const auto total = view.errors.size() + view.folded.size();
  const auto most = total > kGithubMaxAnnotations ? kGithubMaxAnnotations - 1 : total;
  for (std::size_t index = 0; index < view.errors.size() && annotations.size() < most; ++index) {
    annotations.push_back(annotation("", "unreadable", view.errors[index]));
  }
  const auto errors_left = view.errors.size() - annotations.size();
  std::size_t findings_left = view.totals.findings;
  for (std::size_t index = 0; index < view.folded.size() && annotations.size() < most; ++index) {
    findings_left -= view.folded[index].findings;
    annotations.push_back(annotation(view, view.folded[index]));
  }
  std::string text;
  for (const auto& line : annotations) text += line;
  if (total == most) return text;
  const auto errors = errors_left == 0 ? std::string() : count_text(errors_left, "more error");
  const auto findings =
      findings_left == 0 ? std::string() : count_text(findings_left, "more finding");
  return text + annotation("", "and more",
                           fmt::format("{}{}{}\n{}", errors,
                                       errors.empty() || findings.empty() ? "" : ", ", findings,
                                       view.verdict));
}

namespace {

/// Returns the length of leading white space as .NET, and thus the runner, defines it.
std::size_t white_space(std::string_view text) {
  constexpr std::array<std::string_view, 24> kSpaces = {" ",
                                                        "\t",
                                                        "\v",
                                                        "\f",
                                                        "\r",
                                                        "\xC2\x85",
                                                        "\xC2\xA0",
                                                        "\xE1\x9A\x80",
                                                        "\xE2\x80\x80",
                                                        "\xE2\x80\x81",
                                                        "\xE2\x80\x82",
                                                        "\xE2\x80\x83",
                                                        "\xE2\x80\x84",
                                                        "\xE2\x80\x85",
                                                        "\xE2\x80\x86",
                                                        "\xE2\x80\x87",
                                                        "\xE2\x80\x88",
                                                        "\xE2\x80\x89",
                                                        "\xE2\x80\x8A",
                                                        "\xE2\x80\xA8",
                                                        "\xE2\x80\xA9",
                                                        "\xE2\x80\xAF",
                                                        "\xE2\x81\x9F",
                                                        "\xE3\x80\x80"};
  std::size_t length = 0;
  for (bool found = true; found;) {
    found = false;
    for (const auto space : kSpaces) {
      if (text.compare(length, space.size(), space) != 0) continue;
      length += space.size();
      found = true;
    }
  }
  return length;
}

}  // namespace

// The runner looks for "::" at the start of a line, and for "##[" anywhere in it.
std::string without_commands(std::string text) {
  for (auto at = text.find("##["); at != std::string::npos; at = text.find("##[", at)) {
    text.insert(at + 2, 1, ' ');
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const auto word = begin + white_space(std::string_view(text).substr(begin));
    if (text.compare(word, 2, "::") == 0) text.insert(word + 1, 1, ' ');
    const auto end = text.find_first_of("\r\n", word);
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return text;
}

}  // namespace archgrid::report
