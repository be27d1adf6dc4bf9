// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/audit_view.hpp>
#include <array>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "escape.hpp"
#include "style.hpp"
#include "words/cause_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Audit;
using coverage::FileAudit;
using coverage::Finding;
using coverage::State;
using coverage::Verdict;

int severity(State state) {
  switch (state) {
    case State::broken:
      return 4;
    case State::forgiven:
      return 3;
    case State::suspect:
      return 2;
    case State::kept:
      return 1;
    case State::not_promised:
      break;
  }
  return 0;
}

bool is_worse(ViewField left, ViewField right) {
  return std::make_tuple(severity(left.state), left.verdict) >
         std::make_tuple(severity(right.state), right.verdict);
}

/// Returns a pattern without its reasons. All fields without a promise look the same.
std::string looks_of(const Pattern& pattern) {
  std::string looks;
  for (const auto field : pattern) {
    const bool promised = field.state != State::not_promised;
    looks += promised ? static_cast<char>(field.verdict) : '\0';
    looks += static_cast<char>(field.state);
  }
  return looks;
}

/// A numbering of distinct items, in the order of their first occurrence.
class Interner {
 public:
  explicit Interner(View& view) : view_(view) {}

  std::uint32_t pattern(const std::vector<coverage::Field>& fields,
                        const std::vector<coverage::Device>& devices) {
    Pattern pattern;
    pattern.reserve(fields.size());
    for (std::size_t at = 0; at < fields.size(); ++at) {
      const auto& [verdict, why] = fields[at].judgement;
      pattern.push_back({verdict, fields[at].state, reason(why, devices[at])});
    }
    return add(std::move(pattern));
  }

  std::uint32_t add(Pattern pattern) {
    std::string key;
    for (const auto& field : pattern) {
      key += static_cast<char>(field.verdict);
      key += static_cast<char>(field.state);
      for (int shift = 0; shift < 32; shift += 8) {
        key += static_cast<char>((field.reason >> shift) & 0xff);
      }
    }
    const auto next = static_cast<std::uint32_t>(view_.patterns.size());
    const auto [found, fresh] = patterns_.try_emplace(std::move(key), next);
    if (fresh) view_.patterns.push_back(std::move(pattern));
    return found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<coverage::Reason, int>& key) const {
      constexpr std::size_t kFactor = 0x9e3779b97f4a7c15U;
      return (hash_of(key.first) ^ static_cast<std::size_t>(key.second)) * kFactor;
    }
  };

  std::uint32_t reason(const coverage::Reason& why, coverage::Device device) {
    const auto [known, is_new] = reasons_.try_emplace({why, device.number()}, 0);
    if (!is_new) return known->second;
    auto text = reason_text(why, device.text());
    const auto next = static_cast<std::uint32_t>(view_.reasons.size());
    const auto [told, is_untold] = texts_.try_emplace(text, next);
    if (is_untold) view_.reasons.push_back(std::move(text));
    known->second = told->second;
    return known->second;
  }

  View& view_;
  std::unordered_map<std::pair<coverage::Reason, int>, std::uint32_t, Hash> reasons_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::unordered_map<std::string, std::uint32_t> patterns_;
};

/// Returns a key that is equal for rows of one kernel in a cell: its name, or the file of a
/// nameless module.
std::string row_key(const FileAudit& file, const coverage::KernelRow& row) {
  return row.name.empty() ? file.file.path + '\n' + row.demangled.str() : row.name.str();
}

/// Returns the last components of a path, including archive members; all of it if it is shorter.
std::string tail_of(const std::string& path, std::size_t components) {
  auto at = path.size();
  for (; components > 0 && at != std::string::npos; --components) {
    at = at == 0 ? std::string::npos : path.find_last_of("/!", at - 1);
  }
  return at == std::string::npos ? path : path.substr(at + 1);
}

/// Returns titles that distinguish the files: the shortest unique end of each path.
std::vector<std::string> titles_of(const std::vector<std::string>& paths) {
  const std::set<std::string> all(paths.begin(), paths.end());
  std::map<std::string, std::string> titles;
  std::vector<std::string> open(all.begin(), all.end());
  for (std::size_t components = 1; !open.empty(); ++components) {
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& path : open) alike[tail_of(path, components)].push_back(path);
    open.clear();
    for (const auto& [tail, group] : alike) {
      for (const auto& path : group) {
        if (group.size() == 1 || tail == path) {
          titles[path] = tail;
        } else {
          open.push_back(path);
        }
      }
    }
  }
  std::vector<std::string> result;
  for (const auto& path : paths) result.push_back(titles[path]);
  return result;
}

/// Adds a map for each file with kernels.
void add_maps(View& view) {
  std::vector<const ViewFile*> files;
  std::vector<std::string> paths;
  for (const auto& file : view.files) {
    if (file.kernels.empty()) continue;
    files.push_back(&file);
    paths.push_back(file.audit->file.path);
  }
  const auto titles = titles_of(paths);
  for (std::size_t index = 0; index < files.size(); ++index) {
    const auto& file = *files[index];
    view.maps.push_back({titles[index], file.devices, file.kernels, file.audit->file.path});
  }
}

/// Returns a map with one row per kernel, showing the worst of its files.
ViewMap merged(const Audit& audit, const std::vector<ViewFile>& files, View& view,
               Interner& interner) {
  ViewMap map{audit.cell, &audit.devices, {}, {}};
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& file : files) {
    if (file.devices != &audit.devices) continue;
    for (const auto& kernel : file.kernels) {
      const auto [found, fresh] =
          places.try_emplace(row_key(*file.audit, *kernel.row), map.kernels.size());
      if (fresh) {
        map.kernels.push_back(kernel);
        continue;
      }
      auto& known = map.kernels[found->second];
      if (known.pattern == kernel.pattern) continue;
      auto pattern = view.pattern_of(known);
      const auto& other = view.pattern_of(kernel);
      for (std::size_t index = 0; index < pattern.size(); ++index) {
        if (is_worse(other[index], pattern[index])) pattern[index] = other[index];
      }
      known.pattern = interner.add(std::move(pattern));
    }
  }
  return map;
}

void add_rows(View& view) {
  Interner interner(view);
  for (const auto& audit : view.report.audits) {
    for (const auto& file : audit.files) {
      ViewFile shown{&file, audit.cell, &audit.devices, {}};
      shown.kernels.reserve(file.rows.size());
      for (const auto& row : file.rows) {
        shown.kernels.push_back({&row.kernel, interner.pattern(row.fields, audit.devices)});
      }
      view.files.push_back(std::move(shown));
    }
    if (view.report.by_cell && !audit.devices.empty()) {
      view.maps.push_back(merged(audit, view.files, view, interner));
    }
  }
  if (!view.report.by_cell) add_maps(view);
}

/// Findings that differ only in the kernel, and these kernels.
struct Draft {
  const Finding* first = nullptr;
  std::size_t findings = 0;
  std::size_t kernels = 0;
  std::uint64_t names = 0;  ///< a hash
};

std::vector<Draft> drafts_of(const AuditReport& report) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<Draft> drafts;
  for_each_finding(report, [&](const Finding& finding) {
    if (finding.cause) {
      const bool is_promise = finding.cause->rule == coverage::Rule::promised;
      const auto names = is_promise ? finding.cause->kernels_hash : drafts.size();
      drafts.push_back({&finding, 1, finding.kernels, names});
      return;
    }
    auto key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", finding.code, finding.cell, finding.path,
                           finding.device, message_of(finding), fix_of(finding));
    const auto [found, fresh] = places.try_emplace(std::move(key), drafts.size());
    if (fresh) drafts.push_back({&finding, 0, 0, 0});
    auto& draft = drafts[found->second];
    ++draft.findings;
    draft.kernels += finding.kernels;
    const auto& name = finding.kernel.empty() ? finding.demangled.str() : finding.kernel.str();
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
    draft.names = (draft.names ^ std::hash<std::string>()(name)) * kFactor;
  });
  return drafts;
}

bool has_device(const FindingGroup& group, const std::string& device) {
  return std::any_of(group.firsts.begin(), group.firsts.end(),
                     [&](const Finding* finding) { return finding->device == device; });
}

/// Adds findings; those about the same kernels on several devices form one group.
void add_findings(View& view) {
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& draft : drafts_of(view.report)) {
    const auto& finding = *draft.first;
    auto key = fmt::format("{}\n{}\n{}\n{}\n{}", finding.code, finding.cell, finding.path,
                           draft.kernels, draft.names);
    // A finding without a device, or without a kernel, has its own group.
    const bool alone =
        finding.device.empty() || (finding.kernel.empty() && finding.demangled.empty());
    if (alone) key += fmt::format("\n{}", view.findings.size());
    // Two promises may have different findings for one device.
    const auto other = places.find(key);
    if (other != places.end() && has_device(view.findings[other->second], finding.device)) {
      key += fmt::format("\n{}", view.findings.size());
    }
    const auto [found, fresh] = places.try_emplace(key, view.findings.size());
    if (fresh) view.findings.emplace_back();
    auto& group = view.findings[found->second];
    group.firsts.push_back(&finding);
    group.findings += draft.findings;
    group.kernels = draft.kernels;
    group.names = draft.names;
    view.totals.findings += draft.findings;
  }
  const auto rank = [](const FindingGroup& group) {
    const bool whole = group.first().kernel.empty() && group.first().demangled.empty();
    return std::make_tuple(!whole, whole ? 0 : -static_cast<std::ptrdiff_t>(group.kernels));
  };
  std::stable_sort(view.findings.begin(), view.findings.end(),
                   [&](const auto& left, const auto& right) { return rank(left) < rank(right); });
}

void add_suspects(View& view) {
  for (const auto& audit : view.report.audits) {
    for (const auto& finding : audit.suspects) view.suspects.push_back(&finding);
  }
  std::stable_sort(
      view.suspects.begin(), view.suspects.end(),
      [](const Finding* left, const Finding* right) { return left->kernels > right->kernels; });
  view.totals.suspects = view.suspects.size();
}

/// Removes the name of the file from a fix, so that fixes for different files compare equal.
std::string without_file(std::string text, const std::string& path) {
  const auto name = path.substr(path.find_last_of("/!") + 1);
  if (name.empty()) return text;
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    text.replace(at, name.size(), "\n");
  }
  return text;
}

/// Removes what the fix names of the finding's own file, if it is part of a common cause.
Finding without_own(const Finding& finding) {
  Finding common = finding;
  if (!common.cause) return common;
  const auto rule = common.cause->rule;
  if (rule != coverage::Rule::no_sibling && rule != coverage::Rule::own_generation) return common;
  common.cause->units.clear();
  common.cause->modules = 1;
  return common;
}

/// Returns the fix without the name of the file and the toolkit that compiled it.
std::string common_fix(const Finding& finding) {
  auto fix = without_file(fix_of(without_own(finding)), finding.path);
  if (!finding.cause || !finding.cause->toolkit) return fix;
  const auto toolkit = "CUDA " + finding.cause->toolkit->text() + ", which";
  for (auto at = fix.find(toolkit); at != std::string::npos; at = fix.find(toolkit, at + 1)) {
    fix.replace(at, toolkit.size(), "\n");
  }
  return fix;
}

/// Returns a key that is equal for the groups of a fold.
std::string fold_key(const FindingGroup& group) {
  const auto& first = group.first();
  const bool is_promise = first.cause && first.cause->rule == coverage::Rule::promised;
  const auto kernels =
      first.cause && !is_promise ? first.kernel.str() : std::to_string(group.names);
  auto key = fmt::format("{}\n{}\n{}\n{}\n{}", first.code, first.cell, group.findings,
                         group.kernels, kernels);
  for (const auto* finding : group.firsts) {
    key += fmt::format("\n{}\n{}\n{}", finding->device, message_of(*finding), common_fix(*finding));
  }
  return key;
}

void fold_findings(View& view) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t index = 0; index < view.findings.size(); ++index) {
    const auto& group = view.findings[index];
    auto key = fold_key(group);
    if (group.first().path.empty()) key += fmt::format("\n{}", index);
    const auto [found, fresh] = places.try_emplace(std::move(key), view.folded.size());
    if (fresh) view.folded.emplace_back();
    auto& fold = view.folded[found->second];
    fold.groups.push_back(index);
    fold.findings += group.findings;
  }
}

void fold_remarks(View& view) {
  std::map<std::tuple<bool, std::string_view, std::string_view>, std::size_t> places;
  for (const auto& remark : view.remarks) {
    const auto [found, fresh] = places.try_emplace(
        {remark.path.empty(), remark.code, remark.message}, view.folded_remarks.size());
    if (fresh) view.folded_remarks.push_back({&remark, {}});
    if (!remark.path.empty()) view.folded_remarks[found->second].paths.push_back(remark.path);
  }
  std::stable_partition(view.folded_remarks.begin(), view.folded_remarks.end(),
                        [](const auto& fold) {
                          const std::string_view code = fold.first->code;
                          return code == "newer-gpus" || code == "served-in-part" ||
                                 code == "gpus-without-driver" || code == "promised-by-project" ||
                                 code == "baseline-of-others" || code == "project-not-used";
                        });
}

void add_forgiven(View& view) {
  std::map<std::string_view, std::size_t> reasons;
  for (const auto& audit : view.report.audits) {
    for (const auto& forgiven : audit.forgiven) ++reasons[forgiven.reason];
    view.totals.forgiven += audit.forgiven.size();
  }
  for (const auto& [reason, findings] : reasons) view.forgiven.push_back({reason, findings});
}

void add_remarks(View& view) {
  const auto tied = [](const ViewRemark& remark) {
    return std::tie(remark.code, remark.path, remark.message);
  };
  const auto less = [&](const ViewRemark& left, const ViewRemark& right) {
    return tied(left) < tied(right);
  };
  const auto same = [&](const ViewRemark& left, const ViewRemark& right) {
    return tied(left) == tied(right);
  };
  for (const auto& audit : view.report.audits) {
    for (const auto& remark : audit.remarks) {
      view.remarks.push_back({remark.code, remark.path, message_of(remark)});
    }
  }
  // A file may be in several audits.
  std::sort(view.remarks.begin(), view.remarks.end(), less);
  view.remarks.erase(std::unique(view.remarks.begin(), view.remarks.end(), same),
                     view.remarks.end());
}

void add_errors(View& view) {
  view.errors.assign(view.report.errors.begin(), view.report.errors.end());
  for (const auto& audit : view.report.audits) {
    view.errors.insert(view.errors.end(), audit.errors.begin(), audit.errors.end());
  }
}

/// Counts promised kernels, and returns the verdicts that keep their promises.
std::set<Verdict> count_kernels(View& view) {
  std::vector<bool> promised;
  for (const auto& pattern : view.patterns) promised.push_back(is_promised(pattern));
  std::vector<bool> used(view.patterns.size());
  std::unordered_set<std::string_view> named;
  std::unordered_set<std::string_view> broken;
  auto& totals = view.totals;
  for (const auto& file : view.files) {
    const auto before = totals.kernels;
    for (const auto& kernel : file.kernels) {
      if (!promised[kernel.pattern]) continue;
      used[kernel.pattern] = true;
      ++totals.kernels;
      const bool fails = is_broken(view.patterns[kernel.pattern]);
      totals.broken += fails ? 1 : 0;
      if (!kernel.row->name.empty()) {
        named.insert(kernel.row->name.str());
        if (fails) broken.insert(kernel.row->name.str());
      } else {
        ++totals.names;  // the only file, each name once
        totals.broken_names += fails ? 1 : 0;
      }
    }
    totals.files_promised += totals.kernels > before ? 1 : 0;
  }
  totals.names += named.size();
  totals.broken_names += broken.size();
  std::set<Verdict> kept;
  for (std::size_t index = 0; index < used.size(); ++index) {
    if (!used[index]) continue;
    for (const auto& field : view.patterns[index]) {
      if (field.state == State::kept) kept.insert(field.verdict);
    }
  }
  return kept;
}

/// Returns "3 missing, 1 empty".
std::string by_code(const AuditReport& report) {
  std::map<std::string_view, std::size_t> codes;
  for_each_finding(report, [&](const Finding& finding) { ++codes[finding.code]; });
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

/// Returns the name of the outcome: promises are kept or broken, coverage without a promise is even
/// or uneven.
const char* name_of_outcome(const View& view) {
  const bool promised = !view.report.like_other_kernels;
  switch (view.outcome) {
    case Outcome::broken:
      if (promised) return "promise broken";
      return view.totals.devices == 0 ? "coverage not known" : "coverage uneven";
    case Outcome::open:
      return promised ? "promise not proven" : "coverage not known";
    case Outcome::holds:
      break;
  }
  return promised ? "promise holds" : "coverage even";
}

std::string nothing_judged(const AuditReport& report) {
  if (report.arch.empty()) return "nothing is promised for what was audited";
  return fmt::format("nothing is promised for the devices that {} serves", report.arch);
}

/// Lists devices that run too few kernels to judge the others: no outcome may hide them.
std::string not_judged(const AuditReport& report) {
  std::set<coverage::Device> judged;
  std::set<coverage::Device> unjudged;
  for (const auto& audit : report.audits) {
    judged.insert(audit.devices.begin(), audit.devices.end());
    unjudged.insert(audit.unjudged.begin(), audit.unjudged.end());
  }
  std::vector<std::string> devices;
  for (const auto device : unjudged) {
    if (judged.count(device) == 0) devices.push_back(device.text());
  }
  return devices.empty() ? std::string()
                         : fmt::format("; not judged: {}", fmt::join(devices, ", "));
}

/// Names a few GPUs as people do: "8.0 (A100, A30) and 9.0 (H100, H200)".
std::string asked_text(const AuditReport& report, const std::vector<coverage::Device>& devices) {
  if (report.asked.empty()) return gpus_text(devices);
  std::vector<std::string> names;
  for (const auto device : devices) {
    const auto asked = report.asked.find(device);
    names.push_back(asked == report.asked.end()
                        ? device.text()
                        : fmt::format("{} ({})", asked->second, device.text()));
  }
  return fatbin::printable(fmt::format("{}", fmt::join(names, ", ")));
}

/// Returns "runs on 8.0 (A100, A30); does not run on 12.0 (RTX 50)"; empty without a question.
std::string answers_text(
    const AuditReport& report,
    const std::vector<const std::map<coverage::Device, coverage::Answer>*>& all) {
  constexpr std::array<const char*, 5> kTexts = {"runs on", "runs after compiling PTX on",
                                                 "runs in part on", "cannot be told for",
                                                 "does not run on"};
  std::map<coverage::Answer, std::vector<coverage::Device>> devices;
  for (const auto* answers : all) {
    for (const auto& [device, answer] : *answers) devices[answer].push_back(device);
  }
  std::string text;
  for (const auto& [answer, list] : devices) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ",
                        kTexts.at(static_cast<std::size_t>(answer)), asked_text(report, list));
  }
  return text;
}

std::string answers_text(const AuditReport& report) {
  std::vector<const std::map<coverage::Device, coverage::Answer>*> all;
  for (const auto& audit : report.audits) all.push_back(&audit.answers);
  return answers_text(report, all);
}

/// Adds the answer for each package if there are several.
void add_package_answers(View& view) {
  for (const auto& audit : view.report.audits) {
    if (audit.package_answers.size() < 2) continue;
    std::vector<std::string> packages;
    for (const auto& [package, answers] : audit.package_answers) packages.push_back(package);
    const auto titles = titles_of(packages);
    std::size_t index = 0;
    for (const auto& [package, answers] : audit.package_answers) {
      const auto& title = titles[index++];
      view.package_answers.push_back(fmt::format("{}: {}", title.empty() ? "other files" : title,
                                                 answers_text(view.report, {&answers})));
    }
  }
}

/// Reports whether there was a question and all answers are that it runs.
bool runs_everywhere(const AuditReport& report) {
  bool any = false;
  for (const auto& audit : report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      any = true;
      if (answer != coverage::Answer::runs && answer != coverage::Answer::runs_after_jit) {
        return false;
      }
    }
  }
  return any;
}

/// Reports whether a driver is too old or too new, which concerns all kernels.
bool has_driver_error(const View& view) {
  return std::any_of(view.findings.begin(), view.findings.end(), [](const FindingGroup& group) {
    return group.first().code.starts_with("driver-too-");
  });
}

/// Reports whether the answer about some GPU is no, in part, or not known.
bool lacks_yes(const AuditReport& report) {
  return std::any_of(report.audits.begin(), report.audits.end(), [](const Audit& audit) {
    return std::any_of(audit.answers.begin(), audit.answers.end(), [](const auto& entry) {
      return entry.second != coverage::Answer::runs &&
             entry.second != coverage::Answer::runs_after_jit;
    });
  });
}

/// Returns the GPUs that findings are about.
std::vector<coverage::Device> devices_of_errors(const View& view) {
  std::set<coverage::Device> found;
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

/// Returns "; GPUs newer than 8.9 get nothing", if this is true of every file with kernels.
std::string nothing_for_newer(const View& view) {
  std::optional<coverage::Device> newest;
  std::set<std::string_view> lacking;
  std::size_t files = 0;
  for (const auto& audit : view.report.audits) {
    for (const auto& remark : audit.remarks) {
      if (!remark.newer || remark.newer->kernels > 0 || remark.newer->doubt) continue;
      lacking.insert(remark.path);
      if (!newest || *newest < remark.newer->newest) newest = remark.newer->newest;
    }
    for (const auto& file : audit.files) files += file.rows.empty() ? 0 : 1;
  }
  if (!newest || lacking.size() < files) return {};
  return fmt::format("; GPUs newer than {} get nothing", newest->text());
}

/// Returns "; not with 3 of 7 files, its variants", for files that serve none of the GPUs on which
/// the package runs with other files that have the same kernels.
std::string variants_left_out(const View& view) {
  std::set<std::string_view> variants;
  for (const auto& audit : view.report.audits) {
    for (const auto& suspect : audit.suspects) {
      if (!suspect.cause || suspect.cause->rule != coverage::Rule::variant) continue;
      const auto& on = suspect.cause->devices;
      const bool is_asked = std::any_of(on.begin(), on.end(), [&](coverage::Device device) {
        return audit.answers.count(device) != 0;
      });
      if (is_asked) variants.insert(suspect.path);
    }
  }
  if (variants.empty()) return {};
  return fmt::format("; not with {} of {} files, which are variants", variants.size(),
                     view.maps.size());
}

/// Returns "coverage uneven: 2 errors on 7.5 (T4, RTX 20), 28 of 13075 kernels, 10 files x 10 GPUs;
/// ...".
std::string verdict_of_package(const View& view) {
  const auto& totals = view.totals;
  const auto answers = answers_text(view.report);
  std::string errors;
  if (totals.errors > 0) errors += count_text(totals.errors, "unreadable input") + ", ";
  if (totals.findings > 0) {
    errors += count_text(totals.findings, "error") + place_of_errors(view) + ", ";
  }
  auto text = answers.empty() ? fmt::format("{}: ", name_of_outcome(view)) : answers + ": ";
  if (!errors.empty() && runs_everywhere(view.report)) {
    errors.replace(errors.size() - 2, 2, ": ");
    text = totals.errors > 0 ? "what could be read " + answers + ": " + errors
                             : answers + ", but with " + errors;
  } else {
    text += errors;
  }
  if (totals.broken > 0 && !has_driver_error(view)) text += fmt::format("{} of ", totals.broken);
  text += count_text(totals.kernels, "kernel");
  text += totals.files_promised > 1 ? fmt::format(", {} files", totals.files_promised) : "";
  text += " x " + count_text(totals.devices, "GPU");
  if (totals.suspects > 0) text += "; " + count_text(totals.suspects, "suspect");
  if (totals.forgiven > 0) text += fmt::format("; {} ignored", totals.forgiven);
  text += answers.empty() ? nothing_for_newer(view) : variants_left_out(view);
  return text + not_judged(view.report);
}

/// Returns the oldest GPU for which each module has PTX; nothing if a module has other code, or PTX
/// only for one GPU or family.
std::optional<coverage::Device> first_served_by_ptx(const View& view) {
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

std::string verdict_of(const View& view, const std::set<Verdict>& kept) {
  const auto& totals = view.totals;
  const auto scope = scope_of(view);
  const auto* const name = name_of_outcome(view);
  const auto ignored = totals.forgiven == 0
                           ? std::string()
                           : fmt::format(", {} ignored", count_text(totals.forgiven, "finding"));
  const auto suspects =
      totals.suspects == 0 ? std::string() : "; " + count_text(totals.suspects, "suspect");
  if (view.outcome == Outcome::broken) {
    const auto unread =
        totals.errors == 0 ? std::string() : ", " + count_text(totals.errors, "error");
    const auto broken = view.report.by_cell ? totals.broken_names : totals.broken;
    const auto of = broken == 0 ? std::string(" among ") : fmt::format(", {} of ", broken);
    return fmt::format("{}: {} ({}){}{}{}{}{}{}", name, count_text(totals.findings, "finding"),
                       by_code(view.report), unread, of, scope, ignored, suspects,
                       not_judged(view.report));
  }
  if (view.outcome == Outcome::open) {
    return fmt::format("{}: {} among {}{}{}{}", name, count_text(totals.errors, "error"), scope,
                       ignored, suspects, not_judged(view.report));
  }
  if (totals.devices == 0 && view.report.like_other_kernels) return nothing_to_judge(view);
  if (totals.devices == 0) return nothing_judged(view.report);
  const auto verdicts = kept.empty() || totals.suspects > 0
                            ? std::string()
                            : fmt::format(", all {}", coverage::list_verdicts(kept));
  return fmt::format("{}: {}{}{}{}{}", name, scope, verdicts, ignored, suspects,
                     not_judged(view.report));
}

/// Returns the fixes for devices of a group that the first finding's fix does not cover.
std::string other_fixes(const FindingGroup& group) {
  std::vector<std::string_view> all;
  std::vector<std::string_view> others;
  for (const auto* finding : group.firsts) {
    all.push_back(finding->device);
    if (fix_of(*finding) != fix_of(group.first())) others.push_back(finding->device);
  }
  if (others.empty()) return {};
  if (group.first().code != coverage::name_of(Verdict::missing)) {
    return fmt::format("; likewise for {}", fmt::join(others, ", "));
  }
  const auto path = group.first().path;
  return fmt::format("; archgrid suggest --devices {} --from {} names what serves {} too",
                     fmt::join(all, ","), path.substr(0, path.find('!')), fmt::join(others, ", "));
}

}  // namespace

View::View(const AuditReport& audited) : report(audited) {
  add_rows(*this);
  add_findings(*this);
  fold_findings(*this);
  add_suspects(*this);
  add_forgiven(*this);
  add_remarks(*this);
  fold_remarks(*this);
  add_errors(*this);
  std::set<coverage::Device> devices;
  for (const auto& audit : report.audits)
    devices.insert(audit.devices.begin(), audit.devices.end());
  const auto kept = count_kernels(*this);
  totals.devices = devices.size();
  totals.cells = static_cast<std::size_t>(
      std::count_if(report.audits.begin(), report.audits.end(),
                    [](const Audit& audit) { return !audit.devices.empty(); }));
  totals.files = static_cast<std::size_t>(std::count_if(
      files.begin(), files.end(), [](const ViewFile& file) { return !file.kernels.empty(); }));
  totals.errors = errors.size();
  const bool is_open = !errors.empty() || lacks_yes(report);
  outcome = totals.findings > 0 ? Outcome::broken : is_open ? Outcome::open : Outcome::holds;
  add_package_answers(*this);
  const bool is_package = report.like_other_kernels && totals.devices > 0;
  verdict = is_package ? verdict_of_package(*this) : verdict_of(*this, kept);
}

bool is_promised(const Pattern& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](ViewField field) { return field.state != State::not_promised; });
}

ViewField worst_of(const Pattern& pattern) {
  ViewField worst{Verdict::native, State::not_promised, 0};
  for (const auto& field : pattern) {
    if (is_worse(field, worst)) worst = field;
  }
  return worst;
}

bool is_broken(const Pattern& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](ViewField field) { return field.state == State::broken; });
}

std::vector<KernelGroup> groups_of(const View& view, const std::vector<ViewKernel>& kernels) {
  std::unordered_map<std::string, std::size_t> place_of_looks;
  std::unordered_map<std::uint32_t, std::size_t> place_of_pattern;
  std::vector<KernelGroup> groups;
  for (const auto& kernel : kernels) {
    const auto [known, unseen] = place_of_pattern.try_emplace(kernel.pattern, 0);
    if (unseen) {
      const auto& pattern = view.pattern_of(kernel);
      const auto [found, fresh] = place_of_looks.try_emplace(looks_of(pattern), groups.size());
      if (fresh) groups.push_back({kernel, 0, is_broken(pattern)});
      known->second = found->second;
    }
    ++groups[known->second].kernels;
  }
  std::stable_sort(
      groups.begin(), groups.end(), [](const KernelGroup& left, const KernelGroup& right) {
        return std::tie(right.broken, right.kernels) < std::tie(left.broken, left.kernels);
      });
  return groups;
}

std::string demangled_of(const coverage::KernelRow& row) {
  return row.demangled.str();
}

std::string demangled_of(const coverage::Finding& finding) {
  return finding.demangled.str();
}

std::string devices_of(const FindingGroup& group) {
  const auto& cause = group.first().cause;
  if (cause && group.firsts.size() == 1) return coverage::list_devices(cause->devices);
  std::vector<std::string_view> devices;
  for (const auto* first : group.firsts) {
    if (!first->device.empty()) devices.emplace_back(first->device);
  }
  if (devices.size() < 2) return devices.empty() ? std::string() : std::string(devices.front());
  return fmt::format("{} and {}", fmt::join(devices.begin(), devices.end() - 1, ", "),
                     devices.back());
}

std::string subject_of(const FindingGroup& group, std::size_t longest) {
  auto subject = shortened(demangled_of(group.first()), longest);
  if (group.kernels > 1) subject += fmt::format(" and {} more", group.kernels - 1);
  const auto devices = devices_of(group);
  if (!devices.empty()) subject += (subject.empty() ? "on " : " on ") + devices;
  return subject;
}

std::string files_of(const View& view, const FindingFold& fold) {
  return files_text(fold.groups.size(), view.findings[fold.groups.front()].first().path);
}

std::string files_of(const RemarkFold& fold) {
  return fold.paths.empty() ? std::string() : files_text(fold.paths.size(), fold.paths.front());
}

std::string fix_of(const View& view, const FindingFold& fold) {
  Toolkits toolkits;
  const auto* shown = &view.findings[fold.groups.front()];
  for (const auto index : fold.groups) {
    const auto& group = view.findings[index];
    const auto& cause = group.first().cause;
    if (!cause) continue;
    if (cause->toolkit) toolkits.insert(*cause->toolkit);
    const auto& units = shown->first().cause->units;
    if (units.empty() && !cause->units.empty()) shown = &group;
  }
  const auto& group = *shown;
  const auto fix = fix_of(group.first(), toolkits);
  if (fix.empty()) return fix;
  return fix + other_fixes(group) +
         (fold.groups.size() < 2 ? "" : " (and likewise for the other files)");
}

std::string message_of(const FindingGroup& group) {
  const auto& first = group.first();
  if (group.firsts.size() == 1) return message_of(first);
  return fmt::format("on {}, and likewise on the others: {}", first.device, message_of(first));
}

}  // namespace archgrid::report
