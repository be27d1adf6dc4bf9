// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "suggest_parts.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using coverage::ArchPlan;
using coverage::Finding;

constexpr std::size_t kPlanMaxName = 47;  ///< fits 80 columns beside "wrong-suffix"

/// Returns "CUDA 13.0 for 7.5, 8.0 (native or compatible) and 12.1 (jit)".
std::string title(const SuggestedList& planned) {
  std::map<coverage::Verdicts, std::vector<coverage::ComputeCapability>> groups;
  std::vector<coverage::Verdicts> order;
  for (const auto& wanted : planned.request.devices) {
    auto& group = groups[wanted.accept];
    if (group.empty()) order.push_back(wanted.accept);
    group.push_back(wanted.device);
  }
  std::vector<std::string> texts;
  for (const auto& accept : order) {
    texts.push_back(
        fmt::format("{} ({})", coverage::list_devices(groups[accept]),
                    accept.empty() ? "no verdict in common" : coverage::list_verdicts(accept)));
  }
  return fmt::format("CUDA {} for {}", planned.plan.toolkit.text(), fmt::join(texts, " and "));
}

/// Returns the text on lines of its own in one colour.
std::string painted(const std::string& text, Ink ink, Style style, std::size_t columns) {
  auto lines = filled(text, columns);
  lines.pop_back();
  return paint(lines, ink, style) + '\n';
}

std::string services_text(const ArchPlan& plan, Style style) {
  std::map<coverage::ComputeCapability, std::vector<std::string>> lines;
  for (const auto& service : plan.served) {
    lines[service.device] = {
        service.device.text(), coverage::name_of(service.verdict),
        fmt::format("{} {}", service.ptx ? "PTX of" : "machine code for", service.arch.text())};
  }
  for (const auto& unserved : plan.unserved) {
    lines[unserved.device] = {unserved.device.text(), "NOT SERVED", ""};
  }
  std::vector<TableRow> rows;
  for (auto& [device, line] : lines) rows.push_back({std::move(line), "", Ink::plain});
  return table_text({{"device"}, {"verdict"}, {"takes"}}, rows, kPlanIndent, style);
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const auto& word : words) quoted.push_back('"' + word + '"');
  return fmt::format("{}", fmt::join(quoted, ", "));
}

/// Returns a line for each way to write the list, to paste, whatever its length.
std::string spellings_text(const ArchPlan& plan, std::size_t columns) {
  const auto spelled = coverage::spell(plan.archs);
  const auto head = [](const char* name) { return fmt::format("  {}  ", pad(name, 24)); };
  const auto line = [&head](const char* name, const std::string& value) {
    return head(name) + value + '\n';
  };
  auto text = line("CMAKE_CUDA_ARCHITECTURES", spelled.cmake) + line("nvcc", spelled.nvcc);
  const auto torch = head("TORCH_CUDA_ARCH_LIST");
  if (spelled.torch_problem.empty()) {
    text += torch + spelled.torch + '\n';
  } else {
    text += hanging(torch,
                    fmt::format("cannot say it ({}): pass nvcc's arguments as extra_compile_args",
                                spelled.torch_problem),
                    std::string(torch.size(), ' '), columns);
  }
  return text + line("matrix file", fmt::format("{{\"cuda\": \"{}\", \"archs\": [{}]}}",
                                                plan.toolkit.text(), quoted_list(spelled.matrix)));
}

std::vector<coverage::ComputeCapability> served_by_ptx(const ArchPlan& plan) {
  std::vector<coverage::ComputeCapability> devices;
  for (const auto& service : plan.served) {
    if (service.ptx) devices.push_back(service.device);
  }
  return devices;
}

/// Returns the plain arch that a fallback could use, or an empty string.
std::string possible_fallback(const ArchPlan& plan) {
  std::string name;
  for (const auto& planned : plan.archs) {
    if (planned.arch.suffix == '\0') name = planned.arch.text();
  }
  return name;
}

std::string notes_text(const SuggestedList& planned) {
  const auto& plan = planned.plan;
  const auto needs =
      fmt::format("{} (PTX ISA {})", coverage::driver_for(plan.ptx_isa), plan.ptx_isa.text());
  std::string text;
  const auto compiled = served_by_ptx(plan);
  if (!compiled.empty()) {
    text += fmt::format("PTX for {} is compiled when a program starts, which needs {}\n",
                        coverage::list_devices(compiled), needs);
  }
  const bool has_ptx =
      std::any_of(plan.archs.begin(), plan.archs.end(), [](const auto& each) { return each.ptx; });
  const auto possible = possible_fallback(plan);
  if (plan.fallback) {
    text += fmt::format(
        "PTX of {0} is for GPUs newer than {0} that are not promised: they compile it when a "
        "program starts, and need {1}\n",
        plan.fallback->text(), needs);
  } else if (!has_ptx && !possible.empty()) {
    text += fmt::format(
        "no PTX, so nothing for GPUs that none of this machine code loads on (--ptx adds that of "
        "{})\n",
        possible);
  }
  if (plan.ptx_alone) {
    text += fmt::format(
        "shorter: {}-virtual alone, which every device compiles when a program starts with {}\n",
        plan.ptx_alone->text(), needs);
  }
  for (const auto arch : planned.request.with) {
    const bool serves = std::any_of(plan.served.begin(), plan.served.end(), [&](const auto& each) {
      return !each.ptx && each.arch == arch;
    });
    if (!serves)
      text += fmt::format("{} was asked for; no promised device takes it\n", arch.text());
  }
  return text;
}

std::string plan_section(const SuggestedList& planned, Style style, std::size_t columns) {
  auto text = painted(title(planned), Ink::strong, style, columns) + '\n';
  text += services_text(planned.plan, style) + '\n';
  if (!planned.plan.archs.empty()) text += spellings_text(planned.plan, columns) + '\n';
  const auto notes = filled(notes_text(planned), columns);
  return text + (notes.empty() ? "" : notes + '\n');
}

std::string finding_text(const Finding& finding, Style style, std::size_t columns) {
  auto place = finding.device;
  if (!finding.path.empty()) place += (place.empty() ? "" : ", ") + finding.path;
  auto text = fmt::format("{}: {}\n", finding.code, place) +
              wrapped(message_of(finding), "  ", columns) +
              hanging("  fix: ", fix_of(finding), "  ", columns);
  text.replace(0, finding.code.size(), paint(finding.code, Ink::bad, style));
  return text;
}

bool is_of_kernel(const Finding& finding) {
  return !finding.device.empty() && !finding.demangled.empty();
}

/// Returns the device of a finding, which sorts 9.0 before 10.0.
coverage::ComputeCapability device_of(const Finding& finding) {
  return coverage::parse_device(finding.device).value_or(coverage::ComputeCapability{});
}

/// Lists the devices that miss kernels, each with their number and an example.
std::string misses_text(std::vector<Finding> findings, Style style) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& left, const Finding& right) {
    return device_of(left) < device_of(right);
  });
  std::vector<TableRow> rows;
  for (const auto& finding : findings) {
    const auto name = beginning(short_names({finding.demangled}).front(), kPlanMaxName);
    rows.push_back(
        {{finding.device, std::to_string(finding.kernels), finding.code, name}, "", Ink::plain});
  }
  return table_text({{"device"}, {"kernels", Side::right}, {"verdict"}, {"the first"}}, rows,
                    kPlanIndent, style);
}

std::string findings_text(const SuggestReport& report, Style style, std::size_t columns) {
  std::string text;
  std::vector<Finding> of_kernels;
  for (const auto& finding : report.findings()) {
    if (is_of_kernel(finding)) {
      of_kernels.push_back(finding);
    } else {
      text += finding_text(finding, style, columns);
    }
  }
  if (!of_kernels.empty()) {
    text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n",
                        paint("kernels that what is there does not serve (archgrid audit says why)",
                              Ink::strong, style),
                        misses_text(std::move(of_kernels), style));
  }
  return text.empty() ? text : text + '\n';
}

/// Returns "11.0 to 12.3, 12.8": joins versions that are adjacent in the table.
std::string ranges_text(const std::vector<coverage::Version>& toolkits) {
  std::vector<std::pair<coverage::Version, coverage::Version>> ranges;
  bool joins = false;
  for (const auto& row : coverage::table().toolkits) {
    const bool listed = std::find(toolkits.begin(), toolkits.end(), row.cuda) != toolkits.end();
    if (listed && joins) ranges.back().second = row.cuda;
    if (listed && !joins) ranges.emplace_back(row.cuda, row.cuda);
    joins = listed;
  }
  std::vector<std::string> texts;
  for (const auto& [first, last] : ranges) {
    texts.push_back(first == last ? first.text()
                                  : fmt::format("{} to {}", first.text(), last.text()));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string unserved_fix(const ArchPlan& plan, const coverage::Unserved& unserved) {
  if (const auto fix = misfit_fix(unserved); !fix.empty()) return fix;
  if (unserved.able.empty()) return "promise less there, or accept more: no toolkit serves it so";
  return fmt::format(
      "CUDA {} can: build for {} with one of those, or do not promise it for CUDA {}",
      ranges_text(unserved.able), unserved.device.text(), plan.toolkit.text());
}

Finding unserved_finding(const ArchPlan& plan, const coverage::Unserved& unserved) {
  Finding finding;
  finding.code = "unserved";
  finding.device = unserved.device.text();
  finding.message = reason_text(unserved, plan.toolkit);
  finding.fix = unserved_fix(plan, unserved);
  return finding;
}

/// Returns one finding for all kernels that miss a device for the same reason.
std::vector<Finding> merged(const std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<Finding> result;
  for (const auto& finding : findings) {
    const bool alone = finding.device.empty();
    const auto [found, fresh] = places.try_emplace(
        {finding.code, alone ? message_of(finding) : finding.device}, result.size());
    if (fresh) {
      result.push_back(finding);
    } else {
      result[found->second].kernels += finding.kernels;
    }
  }
  return result;
}

/// Returns "5 native, 2 compatible".
std::string count_verdicts(const ArchPlan& plan) {
  std::map<coverage::Verdict, std::size_t> counts;
  for (const auto& service : plan.served) ++counts[service.verdict];
  std::vector<std::string> texts;
  for (const auto& [verdict, count] : counts) {
    texts.push_back(fmt::format("{} {}", count, coverage::name_of(verdict)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string plan_verdict(const ArchPlan& plan) {
  if (!plan.unserved.empty()) {
    std::vector<coverage::ComputeCapability> devices;
    for (const auto& unserved : plan.unserved) devices.push_back(unserved.device);
    return fmt::format("CUDA {} cannot keep the promise for {}", plan.toolkit.text(),
                       coverage::list_devices(devices));
  }
  return fmt::format("{} of CUDA {} {} the promise for {}: {}",
                     count_text(plan.archs.size(), "arch"), plan.toolkit.text(),
                     plan.archs.size() == 1 ? "keeps" : "keep",
                     count_text(plan.served.size(), "device"), count_verdicts(plan));
}

std::string measured_verdict(const SuggestReport& report) {
  const auto& measured = *report.measured;
  if (!measured.errors.empty()) return "not all could be read";
  std::set<coverage::ComputeCapability> devices;
  for (const auto& finding : measured.findings) {
    if (is_of_kernel(finding)) devices.insert(device_of(finding));
  }
  if (!devices.empty()) {
    return fmt::format("what is there does not keep it on {}", coverage::list_devices(devices));
  }
  if (!measured.findings.empty()) return "what is there does not keep it";
  std::uint64_t stored = 0;
  for (const auto* use : needless(report)) stored += use->stored;
  return stored == 0 ? "all that is there is needed"
                     : fmt::format("{} of what is there serve nobody", size_text(stored));
}

}  // namespace

std::vector<Finding> SuggestReport::findings() const {
  std::vector<Finding> result;
  for (const auto& planned : toolkits) {
    for (const auto& unserved : planned.plan.unserved) {
      result.push_back(unserved_finding(planned.plan, unserved));
    }
  }
  if (!measured) return result;
  const auto planned = result.size();
  for (auto& missed : merged(measured->findings)) {
    const auto end = result.begin() + static_cast<std::ptrdiff_t>(planned);
    // The plan may have reported the same driver and GPU already.
    const bool told = std::any_of(result.begin(), end, [&](const Finding& finding) {
      return finding.device == missed.device && fix_of(finding) == fix_of(missed);
    });
    if (!told) result.push_back(std::move(missed));
  }
  return result;
}

std::vector<std::string> suggest_verdicts(const SuggestReport& report) {
  std::vector<std::string> texts;
  for (const auto& planned : report.toolkits) texts.push_back(plan_verdict(planned.plan));
  if (report.measured) texts.back() += "; " + measured_verdict(report);
  return texts;
}

std::string filled(std::string_view text, std::size_t columns) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    const std::string margin(std::min(line.find_first_not_of(' '), line.size()), ' ');
    lines += hanging(margin, line.substr(margin.size()), margin + "  ", columns);
    at = end + 1;
  }
  return lines;
}

std::string suggest_text(const SuggestReport& report, Style style, std::size_t columns) {
  std::string text;
  for (const auto& planned : report.toolkits) text += plan_section(planned, style, columns);
  if (report.measured) text += measured_section(report, style, columns);
  for (const auto& note : report.notes) text += filled(note, columns);
  if (!report.notes.empty()) text += '\n';
  text += findings_text(report, style, columns);
  const bool good =
      report.findings().empty() && (!report.measured || report.measured->errors.empty());
  for (const auto& line : suggest_verdicts(report)) {
    text += painted(line, good ? Ink::good : Ink::bad, style, columns);
  }
  return text;
}

}  // namespace archgrid::report
