// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <optional>
#include <set>

#include "audit_text_parts.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::Finding;

/// Returns "3 missing, 1 empty", without the findings of a code.
std::string by_code(const AuditReport& report, std::string_view left_out) {
  std::map<std::string_view, std::size_t> codes;
  for_each_finding(report, [&](const Finding& finding) { ++codes[finding.code]; });
  codes.erase(left_out);
  std::string text;
  for (const auto& [code, findings] : codes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", findings, code);
  }
  return text;
}

/// Returns "24 kernels", "48 kernels in 3 files (24 different names)". Cells build the same
/// kernels, so with cells each name counts once.
std::string kernels_text(const View& view) {
  const auto& totals = view.totals;
  if (view.report.by_cell) return count_text(totals.names, "kernel");
  auto text = count_text(totals.kernels, "kernel");
  if (totals.files_promised > 1) text += fmt::format(" in {} files", totals.files_promised);
  if (totals.names < totals.kernels) text += fmt::format(" ({} different names)", totals.names);
  return text;
}

std::string scope_of(const View& view) {
  auto scope =
      fmt::format("{} x {}", kernels_text(view), count_text(view.totals.devices, "device"));
  if (view.report.by_cell) scope += ", " + count_text(view.totals.cells, "cell");
  return scope;
}

/// Reports whether there are errors, all with the code.
bool has_alone(const View& view, std::string_view code) {
  if (view.totals.findings == 0 || view.totals.unreadable > 0) return false;
  return std::all_of(view.findings.begin(), view.findings.end(),
                     [code](const FindingGroup& group) { return group.first().code == code; });
}

/// Returns the name of the outcome. Without a promise coverage is uneven if there are errors. Cells
/// that were not built break no promise.
const char* name_of_outcome(const View& view) {
  const bool promised = !view.report.without_promise;
  switch (view.outcome) {
    case Outcome::broken:
      if (promised) return has_alone(view, "not-built") ? "promise not proven" : "promise broken";
      return view.totals.devices == 0 ? "coverage not known" : "coverage uneven";
    case Outcome::open:
      return promised ? "promise not proven" : "coverage not known";
    case Outcome::holds:
      break;
  }
  return promised ? "promise holds" : "no errors";
}

std::string nothing_judged(const AuditReport& report) {
  if (report.arch.empty()) return "nothing is promised for what was audited";
  return fmt::format("nothing is promised for the devices that {} serves", report.arch);
}

/// Returns "libx.so on 7.0", "libx.so on 6 GPUs", "2 files on some GPUs".
std::string unjudged_files(
    const std::map<std::string_view, std::set<coverage::ComputeCapability>>& files) {
  constexpr std::size_t kMaxNamed = 3;
  if (files.size() > 1) return fmt::format("{} files on some GPUs", files.size());
  const auto& [path, devices] = *files.begin();
  return fmt::format("{} on {}", fatbin::printable(std::string(file_name(path))),
                     devices.size() > kMaxNamed ? count_text(devices.size(), "GPU")
                                                : coverage::list_devices(devices));
}

/// Lists devices that run too few kernels to judge the others, in any file or in some: no outcome
/// may hide them.
std::string not_judged(const AuditReport& report) {
  std::set<coverage::ComputeCapability> judged;
  for (const auto& audit : report.audits) judged.insert(audit.devices.begin(), audit.devices.end());
  std::set<coverage::ComputeCapability> nowhere;
  std::map<std::string_view, std::set<coverage::ComputeCapability>> files;
  for (const auto& audit : report.audits) {
    for (const auto& [path, devices] : audit.unjudged) {
      for (const auto device : devices) {
        if (judged.count(device) == 0) {
          nowhere.insert(device);
        } else {
          files[path].insert(device);
        }
      }
    }
  }
  std::vector<std::string> parts;
  for (const auto device : nowhere) parts.push_back(device.text());
  if (!files.empty()) parts.push_back(unjudged_files(files));
  return parts.empty() ? std::string()
                       : fmt::format("; not judged (see the notes): {}", fmt::join(parts, ", "));
}

/// Reports whether a driver is too old or too new, which concerns all kernels.
bool has_driver_error(const View& view) {
  return std::any_of(view.findings.begin(), view.findings.end(), [](const FindingGroup& group) {
    return group.first().code.starts_with("driver-too-");
  });
}

/// Returns the GPUs that findings are about.
std::vector<coverage::ComputeCapability> devices_of_errors(const View& view) {
  std::set<coverage::ComputeCapability> found;
  for (const auto& group : view.findings) {
    for (const auto* finding : group.firsts) {
      const auto& devices = finding->cause ? finding->cause->devices : finding->devices;
      if (!devices.empty()) {
        found.insert(devices.begin(), devices.end());
      } else if (const auto device = coverage::parse_device(finding->device)) {
        found.insert(*device);
      }
    }
  }
  return {found.begin(), found.end()};
}

/// Returns where the errors are, as " on 7.5 (T4, RTX 20)". Empty if somebody asked about GPUs and
/// errors are on all of these, or on none that runs.
std::string place_of_errors(const View& view) {
  constexpr std::size_t kMaxNamed = 3;
  const auto devices = devices_of_errors(view);
  if (devices.empty()) return {};
  if (!answers_text(view.report).empty()) {
    const bool is_everywhere = devices.size() >= view.totals.devices;
    if (is_everywhere || !runs_everywhere(view.report)) return {};
    return " on " + asked_text(view.report, devices);
  }
  return " on " +
         (devices.size() > kMaxNamed ? count_text(devices.size(), "GPU") : gpus_text(devices));
}

/// Returns "; 2 compiled from PTX on 9.0 (H100, H200)", for kernels that alone have no machine code
/// there. GPUs are left out whose answer says so already, or that nothing runs on.
std::string compiled_from_ptx(const View& view) {
  constexpr std::size_t kMaxNamed = 3;
  std::set<coverage::ComputeCapability> answered;
  for (const auto& audit : view.report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      const bool is_partly_ptx =
          answer == coverage::Answer::runs || answer == coverage::Answer::runs_in_part;
      if (!is_partly_ptx) answered.insert(device);
    }
  }
  std::set<coverage::ComputeCapability> devices;
  std::size_t kernels = 0;
  for (const auto& file : view.files) {
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      bool is_compiled = false;
      for (std::size_t at = 0; at < pattern.size(); ++at) {
        const auto device = (*file.devices)[at];
        if (pattern[at].verdict != coverage::Verdict::jit ||
            pattern[at].state_alone() != coverage::State::suspect || answered.count(device) != 0) {
          continue;
        }
        is_compiled = true;
        devices.insert(device);
      }
      kernels += is_compiled ? 1 : 0;
    }
  }
  if (kernels == 0) return {};
  const std::vector<coverage::ComputeCapability> on(devices.begin(), devices.end());
  return fmt::format(
      "; {} compiled from PTX on {}", kernels,
      on.size() > kMaxNamed ? count_text(on.size(), "GPU") : asked_text(view.report, on));
}

/// The kernels that may be for other GPUs, and all, by GPU.
using OthersByGpu = std::map<coverage::ComputeCapability, std::pair<std::size_t, std::size_t>>;

OthersByGpu count_for_others(const View& view) {
  OthersByGpu counts;
  for (const auto& file : view.files) {
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      for (std::size_t at = 0; at < pattern.size(); ++at) {
        auto& [others, all] = counts[(*file.devices)[at]];
        const bool is_other = pattern[at].state_alone() == coverage::State::suspect &&
                              pattern[at].verdict > coverage::Verdict::unknown &&
                              !pattern[at].in_doubt;
        others += is_other ? 1 : 0;
        ++all;
      }
    }
  }
  return counts;
}

/// The kernels that do no work on some GPUs, perhaps by a defect, and these GPUs.
struct IdleInDoubt {
  std::size_t kernels = 0;
  std::vector<coverage::ComputeCapability> devices;

  /// Returns "there" for all GPUs of the question, else "on 8.0 (A100, A30)".
  [[nodiscard]] std::string place(const View& view) const {
    return devices.size() == view.totals.devices ? "there"
                                                 : "on " + asked_text(view.report, devices);
  }
};

IdleInDoubt count_idle_in_doubt(const View& view) {
  std::set<coverage::ComputeCapability> devices;
  IdleInDoubt idle;
  for (const auto& file : view.files) {
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      bool is_in_doubt = false;
      for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (!pattern[at].in_doubt) continue;
        is_in_doubt = true;
        devices.insert((*file.devices)[at]);
      }
      idle.kernels += is_in_doubt ? 1 : 0;
    }
  }
  idle.devices.assign(devices.begin(), devices.end());
  return idle;
}

/// Returns ", except perhaps 1 of 4 kernels, which does no work there", for answers without errors.
std::string except_perhaps(const View& view, const IdleInDoubt& idle) {
  return fmt::format(", except perhaps {} of {}, which {} no work {}", idle.kernels,
                     count_text(view.totals.kernels, "kernel"), idle.kernels == 1 ? "does" : "do",
                     idle.place(view));
}

/// Returns "; 90 of 100 kernels have no code that works on 8.0 (A100, A30)", if most kernels of a
/// GPU that somebody asks about may be for other GPUs.
std::string mostly_for_others(const View& view) {
  std::string text;
  for (const auto& [device, count] : count_for_others(view)) {
    const auto [others, all] = count;
    if (others * 2 <= all) continue;
    text += fmt::format("; {} of {} kernels have no code that works on {}", others, all,
                        asked_text(view.report, {device}));
  }
  return text;
}

/// Returns GPUs between others of the package on which nothing of it runs; empty for
/// several packages, of which another may run there.
std::vector<std::string> gpus_between(const View& view) {
  std::vector<std::string> gpus;
  for (const auto& audit : view.report.audits) {
    if (audit.package_answers.size() > 1) return {};
    for (const auto& note : audit.notes) {
      if (note.code != "gpus-between") continue;
      if (!gpus.empty()) return {};
      gpus = parts_of(note.facts.at("gpus"));
    }
  }
  return gpus;
}

/// Returns "; 10.0, 10.3 and GPUs newer than 12.0 get nothing": those newer, if this is true of
/// every file with kernels. "nothing works on" them, if they compile PTX of a file whose bodies do
/// no work.
std::string nothing_for_others(const View& view) {
  std::optional<coverage::ComputeCapability> newest;
  std::set<std::string_view> lacking;
  std::size_t files = 0;
  bool is_idle = false;
  for (const auto& audit : view.report.audits) {
    for (const auto& note : audit.notes) {
      if (!note.newer || note.newer->kernels > 0 || note.newer->doubt) continue;
      lacking.insert(note.path);
      is_idle = is_idle || note.newer->idle > 0;
      if (!newest || *newest < note.newer->newest) newest = note.newer->newest;
    }
    for (const auto& file : audit.files) files += file.rows.empty() ? 0 : 1;
  }
  auto left_out = gpus_between(view);
  const bool are_newer = newest && lacking.size() >= files;
  if (are_newer) left_out.push_back("GPUs newer than " + newest->text());
  if (left_out.empty()) return {};
  if (are_newer && is_idle) return "; nothing works on " + enumerated(left_out);
  const bool is_one = left_out.size() == 1 && !are_newer;
  return fmt::format("; {} {} nothing", enumerated(left_out), is_one ? "gets" : "get");
}

/// Returns "; 4 do no work in any code", for kernels that nothing explains.
std::string idle_in_all_code(const View& view) {
  std::size_t kernels = 0;
  for (const auto& audit : view.report.audits) {
    for (const auto& note : audit.notes) {
      if (note.code == "does-no-work") kernels += std::stoull(note.facts.at("kernels"));
    }
  }
  if (kernels == 0) return {};
  return fmt::format("; {} {} no work in any code", kernels, kernels == 1 ? "does" : "do");
}

/// Returns "; not with liba_cuda12.so and 2 more of 7 files, which are variants", for files that
/// serve none of the GPUs on which the package runs with other files that have the same kernels.
std::string variants_left_out(const View& view) {
  std::set<std::string_view> variants;
  for (const auto& audit : view.report.audits) {
    for (const auto& suspect : audit.suspects) {
      if (!suspect.cause || suspect.cause->rule != coverage::Rule::variant) continue;
      const auto& on = suspect.cause->devices;
      const bool is_asked = std::any_of(
          on.begin(), on.end(),
          [&](coverage::ComputeCapability device) { return audit.answers.count(device) != 0; });
      if (is_asked) variants.insert(suspect.path);
    }
  }
  if (variants.empty()) return {};
  constexpr std::size_t kMaxNamed = 3;
  std::vector<std::string> names;
  for (const auto path : variants) {
    names.push_back(fatbin::printable(std::string(file_name(path))));
  }
  const auto list = names.size() > kMaxNamed
                        ? fmt::format("{} and {} more", names.front(), names.size() - 1)
                        : enumerated(names);
  return fmt::format("; not with {} of {} files, which {}", list, view.maps.size(),
                     names.size() == 1 ? "is a variant" : "are variants");
}

/// Counts the kernels with errors, also with those of the baseline.
std::size_t count_failing(const View& view) {
  std::size_t failing = 0;
  for (const auto& file : view.files) {
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      const bool fails = std::any_of(pattern.begin(), pattern.end(), [](ViewField field) {
        return field.state_alone() == coverage::State::broken;
      });
      failing += fails ? 1 : 0;
    }
  }
  return failing;
}

/// Returns "6 of 507 kernels", and with a baseline "6 of 507 kernels (2 new)".
std::string failing_text(const View& view, std::size_t failing) {
  const auto& totals = view.totals;
  const auto text = fmt::format("{} of {}", failing, count_text(totals.kernels, "kernel"));
  return failing == totals.broken ? text : fmt::format("{} ({} new)", text, totals.broken);
}

/// Returns how many kernels seem to be for other GPUs if somebody asks about one GPU, without
/// errors, and they are the greater part; else 0.
std::size_t most_for_others(const View& view) {
  const bool is_plain = view.totals.findings == 0 && view.totals.unreadable == 0;
  const auto counts = count_for_others(view);
  if (!is_plain || !runs_everywhere(view.report) || counts.size() != 1) return 0;
  const auto [others, all] = counts.begin()->second;
  return others * 2 > all && all == view.totals.kernels ? others : 0;
}

/// Reports whether the errors are about kernels that fail or compute nothing, not about slow starts
/// or code that cannot be judged.
bool has_failures_alone(const View& view) {
  static const std::set<std::string_view> kOthers = {"jit", "unknown", "compatible", "native"};
  if (view.totals.broken == 0 || view.totals.unreadable > 0) return false;
  return std::all_of(view.findings.begin(), view.findings.end(), [](const FindingGroup& group) {
    const auto& first = group.first();
    return first.code == "unused-ignore" || (first.cause && kOthers.count(first.code) == 0);
  });
}

/// Reports whether the errors are about kernels, whose number says how much fails.
bool counts_failing(const View& view) {
  return view.totals.broken > 0 && !has_driver_error(view);
}

/// Returns "507 kernels x 7 GPUs" or "13075 kernels, 10 files x 10 GPUs".
std::string kernels_and_scope(const View& view) {
  const auto& totals = view.totals;
  auto text = count_text(totals.kernels, "kernel");
  if (totals.files_promised > 1) text += fmt::format(", {} files", totals.files_promised);
  return text + " x " + count_text(totals.devices, "GPU");
}

/// Returns "; 10 files x 2 GPUs", or nothing for one file.
std::string scope_of_several(const View& view) {
  const auto& totals = view.totals;
  if (totals.files_promised < 2) return {};
  return fmt::format("; {} files x {}", totals.files_promised, count_text(totals.devices, "GPU"));
}

/// Returns "runs on 7.0 (V100), except 6 of 507 kernels, which fail or give wrong results there: 2
/// errors".
std::string runs_except(const View& view, const std::string& answers) {
  const auto& totals = view.totals;
  const auto place = place_of_errors(view);
  const auto failing = count_failing(view);
  auto text = fmt::format("{}, except {}, which {} or {} wrong results{}: {}", answers,
                          failing_text(view, failing), failing == 1 ? "fails" : "fail",
                          failing == 1 ? "gives" : "give", place.empty() ? " there" : place,
                          count_text(totals.findings - totals.unused_ignores, "error"));
  return text + scope_of_several(view);
}

/// Returns ", except 6 of 507 kernels, whose errors are ignored", or nothing without such kernels.
std::string except_ignored(const View& view) {
  std::size_t ignored = 0;
  for (const auto& file : view.files) {
    for (const auto& kernel : file.kernels) {
      const auto& pattern = view.pattern_of(kernel);
      const bool is_any = std::any_of(pattern.begin(), pattern.end(),
                                      [](const ViewField& field) { return field.hides_error; });
      ignored += is_any ? 1 : 0;
    }
  }
  if (ignored == 0) return {};
  return fmt::format(", except {} of {}, whose errors are ignored", ignored,
                     count_text(view.totals.kernels, "kernel"));
}

/// Returns "1 unreadable input, 2 errors in 28 of 13075 kernels on 7.5 (T4, RTX 20)", empty without
/// errors. Kernels are not counted if none has an error, or if a driver refuses all.
std::string errors_of_package(const View& view) {
  const auto& totals = view.totals;
  std::string text;
  if (totals.unreadable > 0) text += count_text(totals.unreadable, "unreadable input");
  const bool is_only_unused = has_alone(view, "unused-ignore");
  const auto own = totals.findings - (is_only_unused ? 0 : totals.unused_ignores);
  if (own == 0) return text;
  if (!text.empty()) text += ", ";
  text += count_text(own, is_only_unused ? "unused --ignore" : "error");
  if (counts_failing(view)) text += " in " + failing_text(view, count_failing(view));
  return text + place_of_errors(view);
}

/// Returns the closing sentence about errors: "coverage uneven: 2 errors in 28 of 13075 kernels on
/// 7.5 (T4, RTX 20); 10 files x 10 GPUs".
std::string verdict_with_errors(const View& view, const std::string& answers) {
  const auto& totals = view.totals;
  const bool runs = runs_everywhere(view.report);
  if (runs && has_failures_alone(view)) return runs_except(view, answers);
  const auto errors = errors_of_package(view);
  const auto scope = counts_failing(view)
                         ? fmt::format("{} x {}", count_text(totals.files_promised, "file"),
                                       count_text(totals.devices, "GPU"))
                         : kernels_and_scope(view);
  if (runs && totals.unreadable > 0) {
    return fmt::format("what could be read {}: {}; {}", answers, errors, scope);
  }
  if (runs) return fmt::format("{}, but with {}; {}", answers, errors, scope);
  return fmt::format("{}: {}; {}", answers.empty() ? name_of_outcome(view) : answers, errors,
                     scope);
}

/// Returns the closing sentence without errors: "runs on 8.9 (RTX 40, L4): 507 kernels x 1 GPU".
std::string verdict_without_errors(const View& view, const std::string& answers,
                                   const IdleInDoubt& idle, std::size_t others) {
  const bool runs = runs_everywhere(view.report);
  if (const auto ignored = except_ignored(view); runs && !ignored.empty()) {
    return answers + ignored + scope_of_several(view);
  }
  if (runs && idle.kernels > 0 && others == 0) {
    return answers + except_perhaps(view, idle) + scope_of_several(view);
  }
  const auto of = others > 0 ? fmt::format("{} of ", view.totals.kernels - others) : std::string();
  auto text = fmt::format("{}: {}{}", answers.empty() ? name_of_outcome(view) : answers, of,
                          kernels_and_scope(view));
  if (others > 0) text += fmt::format("; {} look meant for other GPUs", others);
  return text;
}

/// Returns the closing sentence of an audit without a promise.
std::string verdict_of_package(const View& view) {
  const auto& totals = view.totals;
  const auto answers = answers_text(view.report);
  const auto others = most_for_others(view);
  const auto idle = answers.empty() ? IdleInDoubt() : count_idle_in_doubt(view);
  const bool has_errors = totals.findings > 0 || totals.unreadable > 0;
  std::string text;
  if (answers.empty() && totals.unreadable == 0 && has_alone(view, "unused-ignore")) {
    text = fmt::format("{}unused --ignore, no other errors: {}",
                       totals.findings > 1 ? fmt::format("{} ", totals.findings) : std::string(),
                       kernels_and_scope(view));
  } else if (has_errors) {
    text = verdict_with_errors(view, answers);
  } else {
    text = verdict_without_errors(view, answers, idle, others);
  }
  const bool tells_idle = text.find(", except perhaps ") != std::string::npos;
  if (idle.kernels > 0 && !tells_idle) {
    text += fmt::format("; {} may do no work {}", idle.kernels, idle.place(view));
  }
  text += compiled_from_ptx(view);
  if (totals.suspects > 0) text += "; " + count_text(totals.suspects, "suspect");
  const auto unused = totals.unused_ignores;
  if (unused > 0 && !has_alone(view, "unused-ignore")) {
    text += fmt::format("; {} unused --ignore", unused);
  }
  if (totals.ignored > 0) text += fmt::format("; {} ignored", totals.ignored);
  text += idle_in_all_code(view);
  text += answers.empty() ? nothing_for_others(view) : variants_left_out(view);
  if (!answers.empty() && others == 0) text += mostly_for_others(view);
  return text + not_judged(view.report);
}

/// Returns the oldest GPU for which each module has PTX; nothing if a module has other code, or PTX
/// only for one GPU or family.
std::optional<coverage::ComputeCapability> first_served_by_ptx(const View& view) {
  int first = 0;
  for (const auto& file : view.files) {
    std::map<std::size_t, int> lowest;  // by module
    for (const auto& image : file.audit->file.images) {
      if (image.kind != fatbin::Kind::ptx || image.arch.suffix != '\0') return std::nullopt;
      const auto [known, is_new] = lowest.try_emplace(image.module, image.arch.number);
      if (!is_new) known->second = std::min(known->second, image.arch.number);
    }
    for (const auto& [module, arch] : lowest) first = std::max(first, arch);
  }
  const auto* gpu = coverage::table().find_architecture(first);
  return gpu == nullptr ? std::nullopt : std::optional(gpu->device);
}

/// Returns the verdict if no GPU has machine code for most kernels.
std::string nothing_to_judge(const View& view) {
  const bool has_kernels = std::any_of(view.files.begin(), view.files.end(),
                                       [](const auto& file) { return !file.kernels.empty(); });
  if (!has_kernels) return "nothing to judge: no kernel was found";
  const auto first = first_served_by_ptx(view);
  if (!first) return "nothing to judge: no GPU has machine code for most kernels";
  return fmt::format(
      "nothing to judge: no machine code, but PTX for {} and newer GPUs, which compile it when the "
      "program first starts; --gpu asks about one",
      first->text());
}

std::string verdict_of_promise(const View& view, const std::set<coverage::Verdict>& kept) {
  const auto& totals = view.totals;
  const auto scope = scope_of(view);
  const auto* const name = name_of_outcome(view);
  const auto ignored = totals.ignored == 0
                           ? std::string()
                           : fmt::format(", {} ignored", count_text(totals.ignored, "finding"));
  const auto suspects =
      totals.suspects == 0 ? std::string() : "; " + count_text(totals.suspects, "suspect");
  if (has_alone(view, "unused-ignore") && view.report.without_promise) {
    return fmt::format("{}; {} unused --ignore", nothing_to_judge(view), totals.findings);
  }
  if (has_alone(view, "unused-ignore")) {
    return fmt::format("promise holds, but with {}: {}{}{}{}",
                       count_text(totals.findings, "unused ignore"), scope, ignored, suspects,
                       not_judged(view.report));
  }
  if (view.outcome == Outcome::broken) {
    const auto unread =
        totals.unreadable == 0 ? std::string() : ", " + count_text(totals.unreadable, "error");
    const auto broken = view.report.by_cell ? totals.broken_names : totals.broken;
    const auto of = broken != 0           ? fmt::format(", {} of {}", broken, scope)
                    : totals.kernels == 0 ? std::string()
                                          : " among " + scope;
    const auto unused = totals.unused_ignores;
    const bool is_beside = unused > 0 && unused < totals.findings;
    const auto beside = is_beside ? "; " + count_text(unused, "unused ignore") : std::string();
    return fmt::format("{}: {} ({}){}{}{}{}{}{}", name,
                       count_text(totals.findings - (is_beside ? unused : 0), "finding"),
                       by_code(view.report, is_beside ? "unused-ignore" : ""), unread, of, ignored,
                       suspects, beside, not_judged(view.report));
  }
  if (view.outcome == Outcome::open) {
    const auto judged = totals.files == 0     ? ", no kernel was read"
                        : totals.kernels == 0 ? ", no kernel that was read is judged"
                                              : " among " + scope;
    return fmt::format("{}: {}{}{}{}{}", name, count_text(totals.unreadable, "error"), judged,
                       ignored, suspects, not_judged(view.report));
  }
  if (totals.devices == 0 && view.report.without_promise) return nothing_to_judge(view);
  if (totals.devices == 0) return nothing_judged(view.report);
  const auto verdicts = kept.empty() || totals.suspects > 0
                            ? std::string()
                            : fmt::format(", all {}", coverage::list_verdicts(kept));
  const auto but = verdicts.empty() || totals.ignored == 0
                       ? ignored
                       : fmt::format(" but {}", count_text(totals.ignored, "ignored finding"));
  return fmt::format("{}: {}{}{}{}{}", name, scope, verdicts, but, suspects,
                     not_judged(view.report));
}

}  // namespace

std::string verdict_of(const View& view, const std::set<coverage::Verdict>& kept) {
  const bool is_package = view.report.without_promise && view.totals.devices > 0;
  return is_package ? verdict_of_package(view) : verdict_of_promise(view, kept);
}

}  // namespace archgrid::report
