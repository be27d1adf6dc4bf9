// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "holds.hpp"
#include "ignore.hpp"
#include "kernel_names.hpp"
#include "rules.hpp"
#include "running.hpp"

namespace archgrid::coverage {
namespace {

// A file with at least this many lists of archs has them chosen unit by unit.
constexpr std::size_t kManyArchLists = 6;
// The first GPU with hardware that older GPUs lack: TMA, clusters.
constexpr int kFirstWithNewHardware = 90;

constexpr std::size_t kMaxDevices = 64;
using DeviceMask = std::bitset<kMaxDevices>;  ///< by index in Audit::devices

/// A kernel's defect on one device.
struct Defect {
  const char* code = "";
  Rule rule = Rule::unit;
  fatbin::Body body = fatbin::Body::unknown;

  friend bool operator<(const Defect& left, const Defect& right) {
    return std::make_tuple(std::string_view(left.code), left.rule, left.body) <
           std::make_tuple(std::string_view(right.code), right.rule, right.body);
  }
};

/// The archs of one fat binary.
struct ArchList {
  std::string text;         ///< "80 86 90a"
  bool is_suffixed = true;  ///< each arch has a suffix, or one does and all have one number
};

std::vector<ArchList> arch_lists_of(const fatbin::File& file) {
  std::vector<std::set<std::pair<int, char>>> archs(file.modules.size());
  for (const auto& image : file.images) {
    archs[image.module].emplace(image.arch.number, image.arch.suffix);
  }
  std::vector<ArchList> lists(file.modules.size());
  for (std::size_t module = 0; module < lists.size(); ++module) {
    auto& list = lists[module];
    for (const auto& [number, suffix] : archs[module]) {
      const auto arch = fatbin::Arch{number, suffix}.text();
      list.text += (list.text.empty() ? "" : " ") + arch;
      list.is_suffixed = list.is_suffixed && suffix != '\0';
    }
    const auto& all = archs[module];
    const bool is_one = !all.empty() && all.begin()->first == all.rbegin()->first;
    if (is_one && all.size() > 1) list.is_suffixed = true;  // 90 and 90a
  }
  return lists;
}

/// The oldest code of a fat binary.
struct Oldest {
  int arch = std::numeric_limits<int>::max();  ///< PTX included
  int sass = std::numeric_limits<int>::max();
  int first_device = 0;  ///< has all instructions of that machine code; 0: unknown
};

std::vector<Oldest> oldest_by_module(const fatbin::File& file) {
  std::vector<Oldest> modules(file.modules.size());
  for (const auto& image : file.images) {
    auto& oldest = modules[image.module];
    oldest.arch = std::min(oldest.arch, image.arch.number);
    if (image.kind != fatbin::Kind::sass || image.arch.number > oldest.sass) continue;
    if (image.arch.number < oldest.sass) oldest.first_device = 0;
    oldest.sass = image.arch.number;
    for (const auto& kernel : image.kernels) {
      if (kernel.opcodes.none()) continue;
      oldest.first_device = std::max(oldest.first_device, first_device_with(kernel.opcodes));
    }
  }
  return modules;
}

/// Kernels with one defect.
struct Draft {
  const KernelRow* first = nullptr;
  std::string says;          ///< by the first kernel, if it only reports
  bool says_differ = false;  ///< for some kernels
  std::size_t kernels = 0;
  DeviceMask devices;
  bool differs = false;  ///< some kernels fail only on some of the devices
  std::set<std::string> units;
  std::set<std::size_t> modules;
  std::set<std::string_view> archs;
};

/// Returns the verdicts that count as running.
Verdicts accepted_by(const Request& request) {
  if (request.like_other_kernels) return *request.like_other_kernels;
  Verdicts accepted;
  for (const auto& promise : request.promises) {
    accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

}  // namespace

class FileJudge::Work {
 public:
  Work(FileAudit& audit, const ImageSelector& selector, const Request& request, Audit& result,
       HostGuard guard)
      : audit_(audit),
        selector_(selector),
        request_(request),
        result_(result),
        guard_(std::move(guard)),
        accept_(accepted_by(request)),
        lists_(arch_lists_of(audit.file)),
        oldest_(oldest_by_module(audit.file)),
        of_nvidia_(modules_of_nvidia(audit.file, selector)),
        defects_(audit.rows.size()),
        known_(audit.rows.size()),
        working_(result.devices.size()) {
    for (std::size_t at = 0; at < result.devices.size(); ++at) {
      asked_[at] = request.devices.empty() || !request.like_other_kernels ||
                   holds(request.devices, result.devices[at]);
    }
    compiles_at_run_time_ = run_time_compiler(audit.file) != nullptr;
    std::map<std::string_view, std::size_t> units;
    for (const auto& module : audit.file.modules) {
      auto& first = first_with_[lists_[module.index].text];
      first = std::max(first, oldest_[module.index].first_device);
      if (module.registered) ++units[lists_[module.index].text];
    }
    const auto shared =
        std::count_if(units.begin(), units.end(), [](const auto& list) { return list.second > 1; });
    has_many_lists_ = static_cast<std::size_t>(shared) >= kManyArchLists;
  }

  void judge_kernels() {
    find_explained_lists();
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      for (std::size_t at = 0; at < result_.devices.size(); ++at) {
        if (lacks(row, at)) {
          add(row, at, defect_of({row, at, decision_of(row, at)}));
        }
      }
    }
  }

  void judge_failures(std::size_t at) {
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      const Gap gap{row, at, decision_of(row, at)};
      if (!is_failure(selector_, kernel(row), gap.decision, result_.devices[at])) continue;
      const auto defect = defect_of(gap);
      if (severity_of(defect.rule) == Severity::error) add(row, at, defect);
    }
  }

  void judge_file(std::size_t at, Rule unexplained) {
    std::vector<std::size_t> lacking;
    std::map<Rule, std::size_t> explained;
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      const Gap gap{row, at, decision_of(row, at)};
      auto& state = field(row, at).state;
      if (has_code(selector_, gap.decision, result_.devices[at], request_)) {
        if (state == State::not_promised) state = State::kept;  // and counts as running
        continue;
      }
      if (state == State::broken) continue;
      if (gap.decision.judgement.verdict == Verdict::empty) {
        add(row, at, refusal_of(gap));  // it has code, which does no work
        continue;
      }
      if (gap.decision.judgement.verdict == Verdict::ptx_too_new) {
        add(row, at, {name_of(Verdict::ptx_too_new), Rule::driver});
        continue;
      }
      lacking.push_back(row);
      const bool compiles = gap.decision.judgement.verdict == Verdict::jit;
      auto rule = compiles ? Rule::jit : explanation_of(gap);
      if (!rule && !takes_machine_code(gap) && lacks_instructions(gap)) rule = Rule::instructions;
      if (rule) ++explained[*rule];
    }
    const auto jit = explained.find(Rule::jit);
    const bool is_jit = jit != explained.end() && jit->second * 2 > lacking.size();
    auto rule = is_jit ? Rule::jit : unexplained;
    if (unexplained == Rule::package) rule = rule_of_file(at, lacking.size(), explained);
    for (const auto row : lacking) {
      const Gap gap{row, at, decision_of(row, at)};
      const bool compiles = gap.decision.judgement.verdict == Verdict::jit;
      const auto own = compiles            ? Rule::jit
                       : rule == Rule::jit ? explanation_of(gap).value_or(unexplained)
                                           : rule;
      const char* code = own == Rule::jit    ? name_of(Verdict::jit)
                         : own == Rule::unit ? "unit-lacks-arch"
                                             : "file-lacks-arch";
      add(row, at, {code, own});
    }
  }

  void set_apart(std::vector<Breach>& breaches) {
    std::set<std::pair<std::size_t, std::size_t>> broken;  // by strict promises: row and device
    for (const auto& breach : breaches) {
      if (breach.strict) broken.emplace(breach.row, breach.at);
    }
    std::erase_if(breaches, [&](const Breach& breach) {
      if (broken.count({breach.row, breach.at}) != 0) return false;
      const auto defect = excuse_for({breach.row, breach.at, decision_of(breach.row, breach.at)});
      if (defect) add(breach.row, breach.at, *defect);
      return defect.has_value();
    });
  }

  void report() {
    ask_host_code();
    std::map<std::tuple<Defect, std::string>, Draft> drafts;
    for (std::size_t row = 0; row < defects_.size(); ++row) {
      for (const auto& [defect, on] : defects_[row]) {
        const auto devices = on & asked_;
        if (devices.none()) continue;
        const bool is_error = severity_of(defect.rule) == Severity::error;
        auto key = defect;
        if (!is_error) key.body = fatbin::Body::unknown;
        auto& draft = drafts[{key, is_error ? devices.to_string() : std::string()}];
        extend(draft, row, devices);
      }
    }
    std::map<Defect, Draft> known;
    for (std::size_t row = 0; row < known_.size(); ++row) {
      for (const auto& [defect, devices] : known_[row]) {
        if ((devices & asked_).any()) extend(known[defect], row, devices & asked_);
      }
    }
    for (const auto& [defect, draft] : known) {
      result_.forgiven.push_back({finding_of(defect, draft), reason_of(*request_.baseline)});
    }
    for (const auto& [ignore, rows] : forgiven_) {
      Finding finding;
      finding.code = "ignored";
      finding.path = audit_.file.path;
      finding.kernel = kernel(*rows.begin()).name;
      finding.demangled = kernel(*rows.begin()).demangled;
      finding.kernels = rows.size();
      finding.facts = {{"pattern", ignore->kernel}};
      result_.forgiven.push_back({std::move(finding), ignore->reason});
      result_.used.insert(ignore->place);
    }
    for (const auto& [key, draft] : drafts) {
      const auto& defect = std::get<0>(key);
      auto finding = finding_of(defect, draft);
      auto& list = finding.severity == Severity::error ? result_.findings : result_.suspects;
      list.push_back(std::move(finding));
    }
  }

 private:
  /// Kernels of one family and module with one error on a device, by index.
  struct ErrorKey {
    Defect defect;
    std::size_t at = 0;
    std::size_t module = 0;
    std::string family;
    friend bool operator<(const ErrorKey& left, const ErrorKey& right) {
      return std::tie(left.defect, left.at, left.module, left.family) <
             std::tie(right.defect, right.at, right.module, right.family);
    }
  };

  /// Turns errors into suspects if host code checks the GPU before it launches the kernels. The
  /// kernels of a family in one source file are usually launched by the same function.
  void ask_host_code() {
    if (!guard_ || request_.strict) return;
    std::map<ErrorKey, std::vector<std::size_t>> errors;
    for (std::size_t row = 0; row < defects_.size(); ++row) {
      for (const auto& [defect, on] : defects_[row]) {
        for (std::size_t at = 0; may_be_guarded(defect.rule) && at < kMaxDevices; ++at) {
          if (!(on & asked_).test(at)) continue;
          const auto family = family_of(kernel(row).name.str());
          errors[{defect, at, decision_of(row, at).module, family}].push_back(row);
        }
      }
    }
    for (const auto& [key, rows] : errors) {
      if (!is_guarded(rows, key.at)) continue;
      for (const auto row : rows) set_guarded(row, key);
    }
  }

  static bool may_be_guarded(Rule rule) {
    return rule == Rule::registered || rule == Rule::unit || rule == Rule::no_sibling ||
           rule == Rule::own_generation;
  }

  /// Asks about a few of the kernels, as an answer takes up to seconds. A kernel that is launched
  /// decides; else at least one has to be guarded.
  [[nodiscard]] bool is_guarded(const std::vector<std::size_t>& rows, std::size_t at) {
    constexpr std::size_t kMaxOfFamily = 4;
    constexpr std::size_t kMaxOfFile = 256;
    const auto count = std::min(rows.size(), kMaxOfFamily);
    bool any = false;
    for (std::size_t index = 0; index < count; ++index) {
      if (++questions_ > kMaxOfFile) return false;
      const auto row = rows[index * rows.size() / count];
      const auto guarded =
          guard_(audit_.file.path, kernel(row).name.str(), result_.devices[at], served_by(row));
      if (guarded && !*guarded) return false;
      any = any || guarded.has_value();
    }
    return any;
  }

  void set_guarded(std::size_t row, const ErrorKey& key) {
    const auto is_same = [&](const auto& known) {
      return !(known.first < key.defect) && !(key.defect < known.first);
    };
    auto& defects = defects_[row];
    std::find_if(defects.begin(), defects.end(), is_same)->second.reset(key.at);
    auto guarded = key.defect;
    guarded.rule = Rule::host_checks;
    add(row, key.at, guarded);
  }

  [[nodiscard]] Field& field(std::size_t row, std::size_t at) {
    return audit_.rows[row].fields[at];
  }

  /// Reports whether a kernel lacks an accepted verdict on a device that the file ships.
  [[nodiscard]] bool lacks(std::size_t row, std::size_t at) {
    const auto state = field(row, at).state;
    return state == State::broken || state == State::forgiven;
  }

  [[nodiscard]] const KernelRow& kernel(std::size_t row) const { return audit_.rows[row].kernel; }

  /// A kernel that does not run on a device (both by index), and the module that decided.
  struct Gap {
    std::size_t row = 0;
    std::size_t at = 0;
    Decision decision;
  };

  [[nodiscard]] Decision decision_of(std::size_t row, std::size_t at) const {
    return selector_.decide(kernel(row), result_.devices[at], driver());
  }

  [[nodiscard]] bool takes_machine_code(const Gap& gap) const {
    return selector_.takes_machine_code(gap.decision.module, result_.devices[gap.at]);
  }

  [[nodiscard]] const std::string& unit_of(const Gap& gap) const {
    return selector_.unit_of(kernel(gap.row), gap.decision.module);
  }

  [[nodiscard]] const Driver* driver() const {
    if (request_.driver) return &*request_.driver;
    for (const auto& promise : request_.promises) {
      if (promise.driver) return &*promise.driver;
    }
    return nullptr;
  }

  void add(std::size_t row, std::size_t at, Defect defect) {
    if (const auto* ignore = ignore_for(row, at)) {
      field(row, at).state = State::forgiven;
      result_.used.insert(ignore->place);
      if (asked_.test(at)) forgiven_[ignore].emplace(row);
      return;
    }
    const bool is_known = is_in_baseline(row, at, defect);
    const bool is_error = request_.strict || severity_of(defect.rule) == Severity::error;
    field(row, at).state = is_known ? State::forgiven : is_error ? State::broken : State::suspect;
    auto& defects = (is_known ? known_ : defects_)[row];
    const auto found = std::find_if(defects.begin(), defects.end(), [&](const auto& known) {
      return !(known.first < defect) && !(defect < known.first);
    });
    auto& devices =
        found == defects.end() ? defects.emplace_back(defect, DeviceMask()).second : found->second;
    devices.set(at);
  }

  [[nodiscard]] bool is_in_baseline(std::size_t row, std::size_t at, const Defect& defect) {
    if (!request_.baseline) return false;
    const auto& own = kernel(row);
    return is_known(*request_.baseline,
                    {defect.code, name_of(defect.rule), request_.cell, audit_.file.path,
                     own.name.empty() ? own.demangled.str() : own.name.str(), result_.devices[at],
                     field(row, at).judgement.verdict});
  }

  /// Returns the first entry that forgives the kernel on the device; null for none.
  [[nodiscard]] const Ignore* ignore_for(std::size_t row, std::size_t at) const {
    for (const auto& ignore : request_.ignores) {
      if (is_there(ignore, result_.devices[at]) && matches_kernel(ignore.kernel, kernel(row))) {
        return &ignore;
      }
    }
    return nullptr;
  }

  /// Records the arch lists of kernels that need a newer GPU: other kernels of their family with
  /// the same archs were compiled with them, like float16 beside bfloat16.
  void find_explained_lists() {
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      for (std::size_t at = 0; at < result_.devices.size(); ++at) {
        if (!lacks(row, at)) continue;
        const Gap gap{row, at, decision_of(row, at)};
        if (takes_machine_code(gap)) continue;
        if (needs_newer_gpu(kernel(row).name.str(), result_.devices[at])) {
          explained_.emplace(lists_[gap.decision.module].text, at,
                             family_of(kernel(row).name.str()));
        }
      }
    }
  }

  [[nodiscard]] Defect defect_of(const Gap& gap) {
    const auto verdict = gap.decision.judgement.verdict;
    if (verdict == Verdict::jit) return {name_of(verdict), Rule::jit};
    if (verdict == Verdict::unknown) return {name_of(verdict), Rule::unknown};
    if (verdict == Verdict::native || verdict == Verdict::compatible) {
      return {name_of(verdict), Rule::compatible};
    }
    if (verdict == Verdict::empty) return refusal_of(gap);
    if (verdict == Verdict::ptx_too_new) return {name_of(verdict), Rule::driver};
    const auto explanation = explanation_of(gap);
    if (!takes_machine_code(gap)) {
      return {"unit-lacks-arch", explanation ? *explanation : rule_of_unit(gap)};
    }
    if (explanation) return {"not-in-image", *explanation};
    if (selector_.is_of_part_without_code(kernel(gap.row), gap.decision.module,
                                          result_.devices[gap.at])) {
      return {"unit-lacks-arch", Rule::unit};
    }
    return {has_other_name(gap) ? "name-differs" : "not-in-image",
            may_be_checked(gap) ? Rule::python_checks : Rule::registered};
  }

  /// Returns the rule for a unit without code for a device, if names do not explain the gap.
  [[nodiscard]] Rule rule_of_unit(const Gap& gap) const {
    if (lacks_instructions(gap)) return Rule::instructions;
    return may_compile(gap) ? Rule::compiles : Rule::unit;
  }

  /// Reports whether a unit compiled only for newer archs needs them, or another unit with the same
  /// archs does.
  [[nodiscard]] bool lacks_instructions(const Gap& gap) const {
    const auto number = result_.devices[gap.at].number();
    const auto module = gap.decision.module;
    const auto first = first_with_.find(lists_[module].text);
    return number < oldest_[module].first_device ||
           (first != first_with_.end() && number < first->second && number < oldest_[module].arch);
  }

  /// Returns the suspect that excuses a broken promise; nothing without evidence.
  [[nodiscard]] std::optional<Defect> excuse_for(const Gap& gap) {
    const auto verdict = gap.decision.judgement.verdict;
    if (verdict == Verdict::empty) {
      const auto defect = refusal_of(gap);
      const bool is_suspect = severity_of(defect.rule) == Severity::suspect;
      return is_suspect ? std::optional<Defect>(defect) : std::nullopt;
    }
    if (verdict != Verdict::missing && verdict != Verdict::wrong_suffix) return std::nullopt;
    const bool lacks_arch = !takes_machine_code(gap);
    if (lacks_arch && lists_[gap.decision.module].is_suffixed) {
      return Defect{name_of(verdict), Rule::suffix};
    }
    return is_named_for_others(gap) ? std::optional<Defect>({name_of(verdict), Rule::named})
                                    : std::nullopt;
  }

  /// Returns the rule that excuses a kernel without code for a device; nothing if there is none.
  [[nodiscard]] std::optional<Rule> explanation_of(const Gap& gap) const {
    const auto device = result_.devices[gap.at];
    const auto& kernel = this->kernel(gap.row);
    const auto& list = lists_[gap.decision.module];
    if (kernel.picked_by_host) return Rule::host_picks;
    const bool lacks_arch = !takes_machine_code(gap);
    if (lacks_arch && list.is_suffixed) return Rule::suffix;
    if (!selector_.is_named_by_host(kernel)) return Rule::not_registered;
    if (is_named_for_others(gap)) return Rule::named;
    if (is_of_nvidia(gap)) return Rule::nvidia;
    if (lacks_arch && compiles_at_run_time_) return Rule::compiles;
    if (!lacks_arch) {
      const bool is_checked = needs_checked_type(kernel.name.str(), device);
      return is_checked ? std::optional<Rule>(Rule::types) : std::nullopt;
    }
    if (needs_newer_gpu(kernel.name.str(), device)) return Rule::types;
    if (explained_.count({list.text, gap.at, family_of(kernel.name.str())}) != 0) {
      return Rule::types;
    }
    return has_many_lists_ ? std::optional<Rule>(Rule::arch_lists) : std::nullopt;
  }

  /// Returns the defect of a kernel whose body for the device does no work.
  [[nodiscard]] Defect refusal_of(const Gap& gap) {
    const auto device = result_.devices[gap.at];
    const auto& kernel = this->kernel(gap.row);
    const auto& name = kernel.name.str();
    const auto* taken = selector_.taken_kernel(kernel, gap.decision.module, device);
    const auto body = taken == nullptr ? fatbin::Body::inert : taken->body;
    const bool reports = fatbin::reports(body);
    const char* code = reports ? "stub" : body == fatbin::Body::trap ? "trap" : "empty";
    const auto defect = [&](Rule rule) { return Defect{code, rule, body}; };
    if (kernel.picked_by_host) return defect(Rule::host_picks);
    if (!selector_.is_named_by_host(kernel)) return defect(Rule::not_registered);
    if (is_named_for_others(gap)) return defect(Rule::named);
    if (is_of_nvidia(gap)) return defect(Rule::nvidia);
    const bool in_generation = works_in_generation(gap.row, device);
    if (reports && in_generation) return defect(Rule::own_generation);
    if (reports && taken->says != nullptr && names_gpus(*taken->says)) return defect(Rule::says);
    if (types_explain_refusals(gap)) return defect(Rule::types);
    if (working_families(gap.at).count(family_of(name)) != 0) return defect(Rule::sibling);
    if (has_complement(gap.row)) return defect(Rule::complement);
    const auto& served = served_by(gap.row);
    const bool on_older = !served.empty() && served.front() < device;
    if (on_older && !in_generation) return defect(Rule::older_gpus);
    const bool is_new = works_on_new_hardware_alone(gap.row, device);
    if (is_new) return defect(Rule::newer_generation);
    return defect(may_be_checked(gap) ? Rule::python_checks : Rule::no_sibling);
  }

  /// Reports whether the file is a Python module, the package's Python code checks the compute
  /// capability, and the kernel works only on newer GPUs.
  [[nodiscard]] bool may_be_checked(const Gap& gap) const {
    const auto* claim = find_claim(request_.claims, audit_.file.path);
    if (claim == nullptr || !claim->python_checks) return false;
    const auto name = library();
    const bool is_module = name.ends_with(".abi3.so") || name.ends_with(".pyd") ||
                           name.find(".cpython-") != std::string_view::npos || name == "_C.so";
    const auto& served = served_by(gap.row);
    return is_module && !served.empty() && result_.devices[gap.at] < served.front();
  }

  /// Reports whether host code mentions NVRTC and the module is only for newer GPUs: on older GPUs,
  /// which are excluded on purpose, host code may compile the kernel at run time.
  [[nodiscard]] bool may_compile(const Gap& gap) const {
    return audit_.file.speaks_of_nvrtc &&
           result_.devices[gap.at].number() < oldest_[gap.decision.module].arch;
  }

  [[nodiscard]] bool is_named_for_others(const Gap& gap) const {
    return coverage::is_named_for_others(kernel(gap.row).name.str(), unit_of(gap), library(),
                                         result_.devices[gap.at], served_by(gap.row));
  }

  [[nodiscard]] bool is_of_nvidia(const Gap& gap) const {
    return of_nvidia_[gap.decision.module] ||
           coverage::is_of_nvidia(kernel(gap.row).name.str(), library());
  }

  [[nodiscard]] std::string_view library() const {
    const std::string_view path = audit_.file.path;
    return path.substr(path.find_last_of("/!") + 1);
  }

  /// Reports whether a type or instruction in the kernel's name explains an empty body: no GPU that
  /// has it gets an empty body.
  [[nodiscard]] bool types_explain_refusals(const Gap& gap) const {
    const auto& name = kernel(gap.row).name.str();
    if (!needs_newer_gpu(name, result_.devices[gap.at])) return false;
    const auto& gpus = table().architectures;
    return std::none_of(gpus.begin(), gpus.end(), [&](const auto& gpu) {
      if (needs_newer_gpu(name, gpu.device)) return false;
      const auto decision = selector_.decide(kernel(gap.row), gpu.device, driver());
      return decision.judgement.verdict == Verdict::empty;
    });
  }

  /// The devices on which a kernel works, and those on which its body does no work.
  struct Turns {
    DeviceMask works;
    DeviceMask refuses;
    friend bool operator<(const Turns& left, const Turns& right) {
      return std::make_pair(left.works.to_ullong(), left.refuses.to_ullong()) <
             std::make_pair(right.works.to_ullong(), right.refuses.to_ullong());
    }
  };

  [[nodiscard]] Turns turns_of(std::size_t row) const {
    Turns turns;
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      if (works(row, at)) turns.works.set(at);
      if (audit_.rows[row].fields[at].judgement.verdict == Verdict::empty) turns.refuses.set(at);
    }
    return turns;
  }

  /// Reports whether another kernel of the module works exactly where this one does no work, and
  /// the reverse: host code picks one of the two by GPU.
  [[nodiscard]] bool has_complement(std::size_t row) {
    if (turns_.empty()) {
      for (std::size_t each = 0; each < audit_.rows.size(); ++each) {
        const auto turns = turns_of(each);
        if (turns.refuses.none()) continue;
        for (const auto module : kernel(each).modules) turns_[module].insert(turns);
      }
    }
    const auto turns = turns_of(row);
    for (const auto module : kernel(row).modules) {
      for (const auto& other : turns_[module]) {
        if (other.works == turns.refuses && other.refuses == turns.works) return true;
      }
    }
    return false;
  }

  /// Returns the GPUs of the table that run the kernel.
  [[nodiscard]] const std::vector<Device>& served_by(std::size_t row) const {
    const auto [found, is_new] = served_.try_emplace(row);
    if (!is_new) return found->second;
    for (const auto& gpu : table().architectures) {
      const auto verdict = selector_.decide(kernel(row), gpu.device, driver()).judgement.verdict;
      if (accept_.count(verdict) != 0) found->second.push_back(gpu.device);
    }
    return found->second;
  }

  [[nodiscard]] bool works(std::size_t row, std::size_t at) const {
    return accept_.count(audit_.rows[row].fields[at].judgement.verdict) != 0;
  }

  [[nodiscard]] bool works_in_generation(std::size_t row, Device device) const {
    const auto* own = table().find_architecture(device.number());
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      const auto* other = table().find_architecture(result_.devices[at].number());
      if (own == nullptr || other == nullptr || own->generation != other->generation) continue;
      if (own->device.major != other->device.major) continue;  // Blackwell is 10.x and 12.x
      if (works(row, at)) return true;
    }
    return false;
  }

  /// Reports whether a kernel works only on GPUs that are newer than `device` and have hardware
  /// that older GPUs lack.
  [[nodiscard]] bool works_on_new_hardware_alone(std::size_t row, Device device) const {
    const auto& served = served_by(row);
    return !served.empty() && std::all_of(served.begin(), served.end(), [&](Device other) {
      return other.number() >= kFirstWithNewHardware && device < other;
    });
  }

  /// Returns the families with a kernel that works on a device.
  const std::set<std::string>& working_families(std::size_t at) {
    auto& families = working_[at];
    if (!families) {
      families.emplace();
      for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
        const bool compiles = audit_.rows[row].fields[at].judgement.verdict == Verdict::jit;
        if (works(row, at) || compiles) families->insert(family_of(kernel(row).name.str()));
      }
    }
    return *families;
  }

  /// Reports whether the image that the device loads has a kernel of the same family which host
  /// code never names: probably the same kernel, if its name depends on `__CUDA_ARCH__`.
  [[nodiscard]] bool has_other_name(const Gap& gap) const {
    const auto& row = kernel(gap.row);
    const auto family = family_of(row.name.str());
    for (const auto* image : selector_.taken_images(row, result_.devices[gap.at], driver())) {
      for (const auto& other : image->kernels) {
        if (!other.named_by_host && family_of(other.name) == family) return true;
      }
    }
    return false;
  }

  /// Returns the rule for a file without a device: the rule of most kernels, if they have one, else
  /// a rule by the machine code that the file has.
  [[nodiscard]] Rule rule_of_file(std::size_t at, std::size_t lacking,
                                  const std::map<Rule, std::size_t>& explained) const {
    std::size_t count = 0;
    for (const auto& [rule, kernels] : explained) count += kernels;
    if (count * 2 > lacking) {
      const auto less = [](const auto& left, const auto& right) {
        return left.second < right.second;
      };
      return std::max_element(explained.begin(), explained.end(), less)->first;
    }
    if (audit_.file.format == "object") return Rule::unit;  // for later links
    if (lacking < audit_.rows.size()) return Rule::package;
    const auto number = result_.devices[at].number();
    const auto& images = audit_.file.images;
    const bool is_for_older = std::any_of(images.begin(), images.end(), [&](const auto& image) {
      return image.kind == fatbin::Kind::sass && image.arch.number < number;
    });
    return is_for_older ? Rule::left_behind : Rule::newer_gpus;
  }

  void extend(Draft& draft, std::size_t row, const DeviceMask& devices) const {
    const auto says = said_by(row, devices);
    if (draft.first == nullptr) {
      draft.first = &kernel(row);
      draft.says = says;
    }
    draft.says_differ = draft.says_differ || says != draft.says;
    draft.differs = draft.differs || (draft.kernels > 0 && draft.devices != devices);
    ++draft.kernels;
    draft.devices |= devices;
    std::size_t at = 0;
    while (!devices.test(at)) ++at;
    const auto module = decision_of(row, at).module;
    draft.modules.insert(module);
    draft.archs.insert(lists_[module].text);
    const auto& unit = selector_.unit_of(kernel(row), module);
    if (!unit.empty()) draft.units.insert(unit);
  }

  /// Returns the newest toolkit that images of the modules record.
  [[nodiscard]] std::optional<Version> toolkit_of(const std::set<std::size_t>& modules) const {
    std::optional<Version> newest;
    for (const auto& image : audit_.file.images) {
      if (modules.count(image.module) == 0) continue;
      const auto version = parse_version(image.toolkit);
      if (version && (!newest || *newest < *version)) newest = version;
    }
    return newest;
  }

  /// Returns the text that the kernel's body for the first of the devices prints or asserts.
  [[nodiscard]] std::string said_by(std::size_t row, const DeviceMask& devices) const {
    std::size_t at = 0;
    while (!devices.test(at)) ++at;
    const auto module = decision_of(row, at).module;
    const auto* taken = selector_.taken_kernel(kernel(row), module, result_.devices[at]);
    return taken == nullptr || taken->says == nullptr ? std::string() : *taken->says;
  }

  /// Returns the PTX of a kernel that the driver does not read.
  [[nodiscard]] std::optional<TooNewPtx> too_new_ptx(const KernelRow& kernel, Device device) const {
    const auto judgement = selector_.decide(kernel, device, driver()).judgement;
    const auto& detail = judgement.reason.detail;
    const auto isa = detail == nullptr ? std::nullopt : parse_version(detail->text);
    if (judgement.verdict != Verdict::ptx_too_new || !isa) return std::nullopt;
    TooNewPtx found{*isa, *driver()};
    for (const auto& branch : table().drivers) {
      if (found.first_branch == 0 && !(branch.ptx_isa < *isa)) found.first_branch = branch.branch;
    }
    return found;
  }

  [[nodiscard]] Finding finding_of(const Defect& defect, const Draft& draft) const {
    Cause cause;
    cause.rule = defect.rule;
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      if (draft.devices.test(at)) cause.devices.push_back(result_.devices[at]);
    }
    cause.units.assign(draft.units.begin(), draft.units.end());
    cause.modules = draft.modules.size();
    if (draft.archs.size() == 1) cause.archs = *draft.archs.begin();
    cause.of_kernels = audit_.rows.size();
    cause.toolkit = toolkit_of(draft.modules);
    cause.differs = draft.differs;
    cause.body = defect.body;
    cause.says = draft.says;
    cause.says_differ = draft.says_differ;
    if (defect.rule == Rule::driver) {
      cause.too_new_ptx = too_new_ptx(*draft.first, cause.devices.front());
    }
    Finding finding;
    finding.code = defect.code;
    finding.severity = request_.strict ? Severity::error : severity_of(defect.rule);
    finding.path = audit_.file.path;
    finding.cell = request_.cell;
    finding.kernel = draft.first->name;
    finding.demangled = draft.first->demangled;
    finding.kernels = draft.kernels;
    finding.cause = std::move(cause);
    return finding;
  }

  FileAudit& audit_;
  const ImageSelector& selector_;
  const Request& request_;
  Audit& result_;
  HostGuard guard_;              ///< may be empty
  DeviceMask asked_;             ///< devices of the request, or all
  Verdicts accept_;              ///< verdicts that count as running
  std::vector<ArchList> lists_;  ///< by module
  std::vector<Oldest> oldest_;   ///< by module
  std::vector<bool> of_nvidia_;  ///< by module
  bool has_many_lists_ = false;
  std::size_t questions_ = 0;                   ///< about host code
  std::map<std::string_view, int> first_with_;  ///< GPU with all instructions, by list of archs
  /// Lists of archs, devices and families.
  std::set<std::tuple<std::string_view, std::size_t, std::string>> explained_;
  std::map<std::size_t, std::set<Turns>> turns_;  ///< by module, of kernels with idle bodies
  bool compiles_at_run_time_ = false;
  std::map<const Ignore*, std::set<std::size_t>> forgiven_;          ///< rows
  mutable std::map<std::size_t, std::vector<Device>> served_;        ///< by row: GPUs that run it
  std::vector<std::vector<std::pair<Defect, DeviceMask>>> defects_;  ///< by row
  std::vector<std::vector<std::pair<Defect, DeviceMask>>> known_;    ///< by row, of the baseline
  std::vector<std::optional<std::set<std::string>>> working_;        ///< families, by device
};

FileJudge::FileJudge(FileAudit& audit, const ImageSelector& selector, const Request& request,
                     Audit& result, HostGuard guard)
    : work_(std::make_unique<Work>(audit, selector, request, result, std::move(guard))) {}

FileJudge::~FileJudge() = default;

void FileJudge::judge_kernels() {
  work_->judge_kernels();
}

void FileJudge::judge_failures(std::size_t at) {
  work_->judge_failures(at);
}

void FileJudge::judge_file(std::size_t at, Rule unexplained) {
  work_->judge_file(at, unexplained);
}

void FileJudge::set_apart(std::vector<Breach>& breaches) {
  work_->set_apart(breaches);
}

void FileJudge::report() {
  work_->report();
}

}  // namespace archgrid::coverage
