// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes up audits to test their reports.
#ifndef ARCHGRID_TESTS_REPORTS_HPP
#define ARCHGRID_TESTS_REPORTS_HPP

#include <algorithm>
#include <archgrid/report.hpp>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"

namespace archgrid::tests {

using report::AuditReport;

inline coverage::Note note(std::string code, std::string path, coverage::Facts facts) {
  coverage::Note note;
  note.code = std::move(code);
  note.path = std::move(path);
  note.facts = std::move(facts);
  return note;
}

inline std::string text_of(const AuditReport& audited, report::TextStyle style = {}) {
  return report::audit_text(report::View(audited), style);
}

inline std::string verdict_of(const AuditReport& audited) {
  return report::View(audited).verdict;
}

/// Returns the complete output of a writer.
template <typename Writer>
std::string written(const AuditReport& audited, const Writer& writer) {
  std::string text;
  const report::View view(audited);
  writer(view, [&text](std::string_view part) { text += part; });
  return text;
}

inline std::string json_of(const AuditReport& audited) {
  return written(audited, [](const report::View& view, const report::Sink& sink) {
    report::write_json(view, "1.0", sink);
  });
}

inline std::string junit_of(const AuditReport& audited) {
  return written(audited, report::write_junit);
}

inline std::string sarif_of(const AuditReport& audited) {
  return written(audited, [](const report::View& view, const report::Sink& sink) {
    report::write_sarif(view, "1.0", sink);
  });
}

inline std::string html_of(const AuditReport& audited) {
  return written(audited, [](const report::View& view, const report::Sink& sink) {
    report::write_html(view, "1.0", sink);
  });
}

inline std::string markdown_of(const AuditReport& audited, std::size_t most = std::string::npos) {
  return report::audit_markdown(report::View(audited), most);
}

inline std::string annotations_of(const AuditReport& audited) {
  return report::audit_annotations(report::View(audited));
}

inline AuditReport report_of(std::vector<File> files, const std::vector<std::string>& devices,
                             const std::string& cell = "") {
  coverage::Request request;
  request.cell = cell;
  request.options = coverage::Options::cmake;
  request.promises.emplace_back();
  for (const auto& text : devices) request.promises[0].devices.push_back(device(text));
  AuditReport report;
  report.by_cell = !cell.empty();
  report.audits.push_back(coverage::audit(std::move(files), request));
  return report;
}

inline AuditReport report_of(File file, const std::vector<std::string>& devices,
                             const std::string& cell = "") {
  std::vector<File> files;
  files.push_back(std::move(file));
  return report_of(std::move(files), devices, cell);
}

/// Names that are special in one of the formats, on a terminal or in a browser.
inline const std::vector<std::string> kHostileNames = {
    "<img src=x onerror=window.hacked=1>",
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "]]><failure/>",
    "::error file=x::forged%0A::warning::forged",
    "##[set-output name=x]forged",
    "a|b`c``d @someone #1 *bold* [link](http://x)",
    "line\nbreak\r\x1b[2J\x01\x7f",
    "no utf8 \xff\xc0\xaf\xed\xa0\x80",
    "separators \xe2\x80\xa8\xe2\x80\xa9 \xef\xbf\xbf",
    "\"quotes\" 'and' \\backslash\\ & &amp;"};

/// Returns a report on kernels and a file with such names, with an error, a note and an ignored
/// finding.
inline AuditReport hostile_report() {
  std::vector<fatbin::Kernel> kernels;
  for (const auto& name : kHostileNames) kernels.push_back(kernel(name));
  auto file = file_of({sass("80", std::move(kernels))});
  file.path = "lib<x>|`\n::error::,%.so";
  file.loaders = {"cuModuleLoad<b>"};
  auto report = report_of(std::move(file), {"8.0", "9.0"});
  report.errors = {"<b>]]>\n::error::x: cannot open"};
  coverage::Finding ignored;
  ignored.code = "missing";
  ignored.path = "x\"y";
  ignored.message = "</script>";
  ignored.fix = "`|`";
  report.audits[0].ignored.push_back({ignored, "<i>::because|`"});
  return report;
}

inline const std::vector<std::string> kManyDevices = {
    "5.0", "6.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1"};

/// Returns a report on a library of `count` kernels with different verdicts, and names of 500
/// characters and more.
inline AuditReport big_report(int count) {
  const std::string padding(450, 'x');
  std::vector<Image> images = {sass("75", {}), sass("80", {}), sass("90a", {}),
                               ptx("70", "8.4", {})};
  for (int index = 0; index < count; ++index) {
    const auto number = std::to_string(index);
    const auto name = "kernel" + number + "_" + padding;
    const auto mangled = "_Z" + std::to_string(name.size()) + name + "IiEvPT_";
    for (std::size_t image = 0; image < images.size(); ++image) {
      const bool lacks = image > 0 && (static_cast<std::size_t>(index) / 7) % (image + 5) == 0;
      if (!lacks) images[image].kernels.push_back(kernel(mangled));
    }
  }
  return report_of(file_of(std::move(images)), kManyDevices);
}

/// Returns the lines of a text without line ends.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace archgrid::tests

#endif
