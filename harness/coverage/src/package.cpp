// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/parallel.hpp>
#include <array>
#include <bitset>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "driver.hpp"
#include "holds.hpp"
#include "ignore.hpp"
#include "judge.hpp"
#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

// A file whose units are compiled for at least so many lists of archs has them chosen one by one.
constexpr std::size_t kManyArchLists = 6;
// What works from there on alone uses hardware that older GPUs do not have: TMA, clusters.
constexpr int kFirstWithNewHardware = 90;

constexpr std::size_t kMaxDevices = 64;
using DeviceMask = std::bitset<kMaxDevices>;  ///< by index in Audit::devices

/// How the kernels of one file fare on one device.
struct OnDevice {
  Device device;
  std::size_t kernels = 0;   ///< that have code for it
  bool ships = false;        ///< more than half of them, and the driver knows the device
  bool has_failure = false;  ///< a launch fails there, whatever the others do
};

/// Reports whether the launch of a kernel fails for certain: the driver takes an image that lacks
/// it.
bool is_failure(const Coverage& coverage, const KernelRow& row, const Decision& decision,
                Device device) {
  return decision.judgement.verdict == Verdict::missing && !row.picked_by_host &&
         coverage.takes_machine_code(decision.module, device) && coverage.is_named_by_host(row);
}

/// Reports whether a kernel has code for the device that counts as running, whatever that does.
bool has_code(const Coverage& coverage, const Decision& decision, Device device,
              const Request& request) {
  const auto verdict = decision.judgement.verdict;
  if (verdict == Verdict::empty) return coverage.takes_machine_code(decision.module, device);
  return request.like_other_kernels->count(verdict) != 0;
}

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

struct RuleRow {
  Rule rule;
  const char* name;
  Severity severity;
};

constexpr std::array<RuleRow, 27> kRules = {
    {{Rule::registered, "registered", Severity::error},
     {Rule::unit, "unit", Severity::error},
     {Rule::package, "package", Severity::error},
     {Rule::left_behind, "left-behind", Severity::error},
     {Rule::no_sibling, "no-sibling", Severity::error},
     {Rule::own_generation, "own-generation", Severity::error},
     {Rule::claimed, "claimed", Severity::error},
     {Rule::promised, "promised", Severity::error},
     {Rule::asked, "asked", Severity::error},
     {Rule::host_picks, "host-picks", Severity::suspect},
     {Rule::not_registered, "not-registered", Severity::suspect},
     {Rule::suffix, "suffix", Severity::suspect},
     {Rule::named, "named", Severity::suspect},
     {Rule::types, "types", Severity::suspect},
     {Rule::instructions, "instructions", Severity::suspect},
     {Rule::arch_lists, "arch-lists", Severity::suspect},
     {Rule::nvidia, "nvidia", Severity::suspect},
     {Rule::compiles, "compiles", Severity::suspect},
     {Rule::sibling, "sibling", Severity::suspect},
     {Rule::complement, "complement", Severity::suspect},
     {Rule::newer_generation, "newer-generation", Severity::suspect},
     {Rule::newer_gpus, "newer-gpus", Severity::suspect},
     {Rule::variant, "variant", Severity::suspect},
     {Rule::minority, "minority", Severity::suspect},
     {Rule::jit, "jit", Severity::suspect},
     {Rule::compatible, "compatible", Severity::suspect},
     {Rule::unknown, "unknown", Severity::suspect}}};

constexpr bool is_in_order() {
  for (std::size_t index = 0; index < kRules.size(); ++index) {
    if (kRules[index].rule != static_cast<Rule>(index)) return false;
  }
  return kRules.size() == static_cast<std::size_t>(Rule::unknown) + 1;
}
static_assert(is_in_order());

Severity severity_of(Rule rule) {
  return kRules.at(static_cast<std::size_t>(rule)).severity;
}

/// The kernels of a file that host code can launch; all of them where it names none.
std::vector<const KernelRow*> launched_rows(const Coverage& coverage) {
  std::vector<const KernelRow*> all;
  std::vector<const KernelRow*> launched;
  for (const auto& row : coverage.kernels()) {
    all.push_back(&row);
    const bool is_launched = row.picked_by_host || coverage.is_named_by_host(row);
    if (is_launched) launched.push_back(&row);
  }
  return launched.empty() ? all : launched;
}

/// How each kernel of a file fares on the devices of the request, or on all that the file can meet.
std::vector<OnDevice> serve_devices(const fatbin::File& file, const Coverage& coverage,
                                    const Request& request) {
  std::vector<OnDevice> found;
  for (const auto device : request.devices) found.push_back({device});
  if (found.empty()) {
    for (const auto& row : table().architectures) {
      if (may_meet(file, row)) found.push_back({row.device});
    }
  }
  const auto kernels = launched_rows(coverage);
  const auto* driver = request.driver ? &*request.driver : nullptr;
  parallel_for(found.size(), [&](std::size_t index, std::size_t) {
    auto& on = found[index];
    for (const auto* row : kernels) {
      const auto decision = coverage.outline(*row, on.device, driver);
      on.kernels += has_code(coverage, decision, on.device, request) ? 1 : 0;
      on.has_failure = on.has_failure || is_failure(coverage, *row, decision, on.device);
    }
    on.ships = on.kernels * 2 > kernels.size();
  });
  return found;
}

/// The archs of one fat binary.
struct ArchList {
  std::string text;          ///< "80 86 90a"
  bool all_suffixed = true;  ///< each has a suffix
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
      list.all_suffixed = list.all_suffixed && suffix != '\0';
    }
  }
  return lists;
}

/// Returns by module the number of the first GPU that has all instructions of its code, as far as
/// these are known.
std::vector<int> first_devices_of(const fatbin::File& file) {
  std::vector<int> first(file.modules.size());
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      if (kernel.opcodes.none()) continue;
      first[image.module] = std::max(first[image.module], first_device_with(kernel.opcodes));
    }
  }
  return first;
}

/// Kernels with one defect.
struct Draft {
  const KernelRow* first = nullptr;
  std::string says;          ///< by the first, if it only reports
  bool says_differ = false;  ///< from what others say
  std::size_t kernels = 0;
  DeviceMask devices;
  bool differs = false;  ///< not each kernel on all devices
  std::set<std::string> units;
  std::set<std::size_t> modules;
  std::set<std::string_view> archs;
};

/// The verdicts that count as running.
Verdicts accepted_by(const Request& request) {
  if (request.like_other_kernels) return *request.like_other_kernels;
  Verdicts accepted;
  for (const auto& promise : request.promises) {
    accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

/// Judges one file of a package, or of a promise.
class FileJudge {
 public:
  FileJudge(FileAudit& audit, const Coverage& coverage, const Request& request, Audit& result)
      : audit_(audit),
        coverage_(coverage),
        request_(request),
        result_(result),
        accept_(accepted_by(request)),
        lists_(arch_lists_of(audit.file)),
        first_devices_(first_devices_of(audit.file)),
        defects_(audit.rows.size()),
        known_(audit.rows.size()),
        working_(result.devices.size()) {
    const auto compiles = [](const std::string& loader) { return loader.starts_with("nvrtc"); };
    const auto& loaders = audit.file.loaders;
    compiles_at_run_time_ = std::any_of(loaders.begin(), loaders.end(), compiles);
    std::map<std::string_view, std::size_t> units;
    for (const auto& module : audit.file.modules) {
      if (module.registered) ++units[lists_[module.index].text];
    }
    const auto shared =
        std::count_if(units.begin(), units.end(), [](const auto& list) { return list.second > 1; });
    has_many_lists_ = static_cast<std::size_t>(shared) >= kManyArchLists;
  }

  /// Judges the kernels that lack what most kernels of the file have.
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

  /// Finds launches that fail on a device that the file does not ship.
  void judge_failures(std::size_t at) {
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      const Gap gap{row, at, decision_of(row, at)};
      if (!is_failure(coverage_, kernel(row), gap.decision, result_.devices[at])) continue;
      const auto defect = defect_of(gap);
      if (severity_of(defect.rule) == Severity::error) add(row, at, defect);
    }
  }

  /// Judges the file on a device that it does not ship. `unexplained` is the rule where nothing
  /// else explains that.
  void judge_file(std::size_t at, Rule unexplained) {
    std::vector<std::size_t> lacking;
    std::map<Rule, std::size_t> explained;
    for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
      const Gap gap{row, at, decision_of(row, at)};
      if (has_code(coverage_, gap.decision, result_.devices[at], request_)) continue;
      if (field(row, at).state == State::broken) continue;
      lacking.push_back(row);
      const bool compiles = gap.decision.judgement.verdict == Verdict::jit;
      const auto rule = compiles ? Rule::jit : explanation_of(gap);
      if (rule) ++explained[*rule];
    }
    const auto jit = explained.find(Rule::jit);
    const bool is_jit = jit != explained.end() && jit->second * 2 > lacking.size();
    auto rule = is_jit ? Rule::jit : unexplained;
    if (unexplained == Rule::package) rule = rule_of_file(at, lacking.size(), explained);
    const char* code = rule == Rule::jit    ? name_of(Verdict::jit)
                       : rule == Rule::unit ? "unit-lacks-arch"
                                            : "file-lacks-arch";
    for (const auto row : lacking) add(row, at, {code, rule});
  }

  /// Moves breaches that evidence excuses to the suspects.
  void set_apart(std::vector<Breach>& breaches) {
    std::set<std::pair<std::size_t, std::size_t>> broken;  // strict promises, by row and device
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

  /// Adds a finding for each defect, and one for all kernels that are suspect for one reason.
  void report() {
    std::map<std::tuple<Defect, std::string>, Draft> drafts;
    for (std::size_t row = 0; row < defects_.size(); ++row) {
      for (const auto& [defect, devices] : defects_[row]) {
        const bool is_error = severity_of(defect.rule) == Severity::error;
        auto key = defect;
        if (!is_error) key.body = fatbin::Body::unknown;
        auto& draft = drafts[{key, is_error ? devices.to_string() : std::string()}];
        extend(draft, row, devices);
      }
    }
    std::map<Defect, Draft> known;
    for (std::size_t row = 0; row < known_.size(); ++row) {
      for (const auto& [defect, devices] : known_[row]) extend(known[defect], row, devices);
    }
    for (const auto& [defect, draft] : known) {
      result_.forgiven.push_back(known_in(*request_.baseline, finding_of(defect, draft)));
    }
    for (const auto& [ignore, rows] : forgiven_) {
      Finding finding;
      finding.code = "ignored";
      finding.path = audit_.file.path;
      finding.kernel = kernel(*rows.begin()).name;
      finding.demangled = kernel(*rows.begin()).demangled;
      finding.kernels = rows.size();
      finding.message = fmt::format("\"{}\" forgives them", ignore->kernel);
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
  [[nodiscard]] Field& field(std::size_t row, std::size_t at) {
    return audit_.rows[row].fields[at];
  }

  /// Reports whether a kernel has no accepted verdict on a device that the file ships.
  [[nodiscard]] bool lacks(std::size_t row, std::size_t at) {
    const auto state = field(row, at).state;
    return state == State::broken || state == State::forgiven;
  }

  [[nodiscard]] const KernelRow& kernel(std::size_t row) const { return audit_.rows[row].kernel; }

  /// A kernel that does not run on a device, by index, and the module that decides.
  struct Gap {
    std::size_t row = 0;
    std::size_t at = 0;
    Decision decision;
  };

  [[nodiscard]] Decision decision_of(std::size_t row, std::size_t at) const {
    return coverage_.outline(kernel(row), result_.devices[at], driver());
  }

  [[nodiscard]] bool takes_machine_code(const Gap& gap) const {
    return coverage_.takes_machine_code(gap.decision.module, result_.devices[gap.at]);
  }

  [[nodiscard]] const std::string& unit_of(const Gap& gap) const {
    return coverage_.unit_of(kernel(gap.row), gap.decision.module);
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
      forgiven_[ignore].emplace(row);
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

  /// The first entry that forgives the kernel on the device; null for none.
  [[nodiscard]] const Ignore* ignore_for(std::size_t row, std::size_t at) const {
    for (const auto& ignore : request_.ignores) {
      if (is_there(ignore, result_.devices[at]) && matches_kernel(ignore.kernel, kernel(row))) {
        return &ignore;
      }
    }
    return nullptr;
  }

  /// Records the lists of archs of kernels that need a newer GPU: others of their family with the
  /// same archs were compiled with them, as float16 beside bfloat16.
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
    const auto explanation = explanation_of(gap);
    if (!takes_machine_code(gap)) {
      return {"unit-lacks-arch", explanation ? *explanation : rule_of_unit(gap)};
    }
    if (explanation) return {"not-in-image", *explanation};
    if (coverage_.is_of_part_without_code(kernel(gap.row), gap.decision.module,
                                          result_.devices[gap.at])) {
      return {"unit-lacks-arch", Rule::unit};
    }
    return {has_other_name(gap) ? "name-differs" : "not-in-image", Rule::registered};
  }

  /// Returns why a unit lacks code for a device where names do not explain it.
  [[nodiscard]] Rule rule_of_unit(const Gap& gap) const {
    const auto number = result_.devices[gap.at].number();
    if (number < first_devices_[gap.decision.module]) return Rule::instructions;
    return may_compile(gap) ? Rule::compiles : Rule::unit;
  }

  /// Returns the suspect that a broken promise may be; nothing where no evidence excuses it.
  [[nodiscard]] std::optional<Defect> excuse_for(const Gap& gap) {
    const auto verdict = gap.decision.judgement.verdict;
    if (verdict == Verdict::empty) {
      const auto defect = refusal_of(gap);
      const bool is_suspect = severity_of(defect.rule) == Severity::suspect;
      return is_suspect ? std::optional<Defect>(defect) : std::nullopt;
    }
    if (verdict != Verdict::missing && verdict != Verdict::wrong_suffix) return std::nullopt;
    const bool lacks_arch = !takes_machine_code(gap);
    if (lacks_arch && lists_[gap.decision.module].all_suffixed) {
      return Defect{name_of(verdict), Rule::suffix};
    }
    return is_named_for_others(gap) ? std::optional<Defect>({name_of(verdict), Rule::named})
                                    : std::nullopt;
  }

  /// Why it is no defect that a kernel has no code for a device, or may not be.
  [[nodiscard]] std::optional<Rule> explanation_of(const Gap& gap) const {
    const auto device = result_.devices[gap.at];
    const auto& kernel = this->kernel(gap.row);
    const auto& list = lists_[gap.decision.module];
    if (kernel.picked_by_host) return Rule::host_picks;
    const bool lacks_arch = !takes_machine_code(gap);
    if (lacks_arch && list.all_suffixed) return Rule::suffix;
    if (!coverage_.is_named_by_host(kernel)) return Rule::not_registered;
    if (is_named_for_others(gap)) return Rule::named;
    if (is_of_nvidia(kernel.name.str(), library())) return Rule::nvidia;
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

  /// A kernel whose body for the device does no work.
  [[nodiscard]] Defect refusal_of(const Gap& gap) {
    const auto device = result_.devices[gap.at];
    const auto& kernel = this->kernel(gap.row);
    const auto& name = kernel.name.str();
    const auto* taken = coverage_.taken_kernel(kernel, gap.decision.module, device);
    const auto body = taken == nullptr ? fatbin::Body::inert : taken->body;
    const bool reports = fatbin::reports(body);
    const char* code = reports ? "stub" : body == fatbin::Body::trap ? "trap" : "empty";
    const auto defect = [&](Rule rule) { return Defect{code, rule, body}; };
    if (kernel.picked_by_host) return defect(Rule::host_picks);
    if (!coverage_.is_named_by_host(kernel)) return defect(Rule::not_registered);
    if (is_named_for_others(gap)) return defect(Rule::named);
    if (is_of_nvidia(name, library())) return defect(Rule::nvidia);
    if (reports && works_in_generation(gap.row, device)) return defect(Rule::own_generation);
    if (types_explain_refusals(gap)) return defect(Rule::types);
    if (working_families(gap.at).count(family_of(name)) != 0) return defect(Rule::sibling);
    if (has_complement(gap.row)) return defect(Rule::complement);
    const bool is_new = works_on_new_hardware_alone(gap.row, device);
    return defect(is_new ? Rule::newer_generation : Rule::no_sibling);
  }

  /// Reports whether the host code speaks of NVRTC, and the module is for newer GPUs alone: for
  /// older ones, which were left out on purpose, it may compile the kernel when it runs.
  [[nodiscard]] bool may_compile(const Gap& gap) const {
    if (!audit_.file.speaks_of_nvrtc) return false;
    const auto number = result_.devices[gap.at].number();
    const auto& images = audit_.file.images;
    return std::none_of(images.begin(), images.end(), [&](const fatbin::Image& image) {
      return image.module == gap.decision.module && image.arch.number <= number;
    });
  }

  [[nodiscard]] bool is_named_for_others(const Gap& gap) const {
    return coverage::is_named_for_others(kernel(gap.row).name.str(), unit_of(gap), library(),
                                         result_.devices[gap.at], served_by(gap.row));
  }

  [[nodiscard]] std::string_view library() const {
    const std::string_view path = audit_.file.path;
    return path.substr(path.find_last_of("/!") + 1);
  }

  /// Reports whether a type or an instruction of the kernel's name explains why its body refuses:
  /// it refuses on no GPU that has it.
  [[nodiscard]] bool types_explain_refusals(const Gap& gap) const {
    const auto& name = kernel(gap.row).name.str();
    if (!needs_newer_gpu(name, result_.devices[gap.at])) return false;
    const auto& fields = audit_.rows[gap.row].fields;
    for (std::size_t at = 0; at < fields.size(); ++at) {
      const bool refuses = fields[at].judgement.verdict == Verdict::empty;
      if (refuses && !needs_newer_gpu(name, result_.devices[at])) return false;
    }
    return true;
  }

  /// The devices on which a kernel works, and those on which its body refuses.
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

  /// Reports whether another kernel of the module works exactly where this one refuses, and refuses
  /// where this one works: host code picks one of the two by GPU.
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

  /// The GPUs of the table that run the kernel.
  [[nodiscard]] const std::vector<Device>& served_by(std::size_t row) const {
    const auto [found, is_new] = served_.try_emplace(row);
    if (!is_new) return found->second;
    for (const auto& gpu : table().architectures) {
      const auto verdict = coverage_.outline(kernel(row), gpu.device, driver()).judgement.verdict;
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

  /// Reports whether a kernel works on GPUs alone that are newer than `device`, and have hardware
  /// that older ones lack.
  [[nodiscard]] bool works_on_new_hardware_alone(std::size_t row, Device device) const {
    const auto& served = served_by(row);
    return !served.empty() && std::all_of(served.begin(), served.end(), [&](Device other) {
      return other.number() >= kFirstWithNewHardware && device < other;
    });
  }

  /// The families of which some kernel works on a device.
  const std::set<std::string>& working_families(std::size_t at) {
    auto& families = working_[at];
    if (!families) {
      families.emplace();
      for (std::size_t row = 0; row < audit_.rows.size(); ++row) {
        if (works(row, at)) families->insert(family_of(kernel(row).name.str()));
      }
    }
    return *families;
  }

  /// Reports whether the image that the device takes has a kernel of the family that host code
  /// never names: the same one, if its name depends on `__CUDA_ARCH__`.
  [[nodiscard]] bool has_other_name(const Gap& gap) const {
    const auto& row = kernel(gap.row);
    const auto family = family_of(row.name.str());
    for (const auto* image : coverage_.taken_images(row, result_.devices[gap.at], driver())) {
      for (const auto& other : image->kernels) {
        if (!other.named_by_host && family_of(other.name) == family) return true;
      }
    }
    return false;
  }

  /// Why a file lacks a device: what explains most of its kernels that do, else what other machine
  /// code it has.
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
    if (audit_.file.format == "object") return Rule::unit;  // of what it will be linked into
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
    const auto& unit = coverage_.unit_of(kernel(row), module);
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

  /// Returns what the kernel's body for the first of the devices prints or asserts.
  [[nodiscard]] std::string said_by(std::size_t row, const DeviceMask& devices) const {
    std::size_t at = 0;
    while (!devices.test(at)) ++at;
    const auto module = decision_of(row, at).module;
    const auto* taken = coverage_.taken_kernel(kernel(row), module, result_.devices[at]);
    return taken == nullptr || taken->says == nullptr ? std::string() : *taken->says;
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
  const Coverage& coverage_;
  const Request& request_;
  Audit& result_;
  Verdicts accept_;                 ///< those that count as running
  std::vector<ArchList> lists_;     ///< by module
  std::vector<int> first_devices_;  ///< by module, that have its instructions; 0 where not known
  bool has_many_lists_ = false;
  /// Lists of archs, devices and families.
  std::set<std::tuple<std::string_view, std::size_t, std::string>> explained_;
  std::map<std::size_t, std::set<Turns>> turns_;  ///< by module, of kernels that refuse somewhere
  bool compiles_at_run_time_ = false;
  std::map<const Ignore*, std::set<std::size_t>> forgiven_;          ///< rows
  mutable std::map<std::size_t, std::vector<Device>> served_;        ///< by row, those that run it
  std::vector<std::vector<std::pair<Defect, DeviceMask>>> defects_;  ///< by row
  std::vector<std::vector<std::pair<Defect, DeviceMask>>> known_;    ///< by row, of the baseline
  std::vector<std::optional<std::set<std::string>>> working_;        ///< families, by device
};

/// A kernel in a file.
struct Place {
  std::size_t file = 0;
  const KernelRow* row = nullptr;
};

Answer answer_of(bool has_code, Verdict verdict) {
  if (has_code) return Answer::runs;
  if (verdict == Verdict::jit) return Answer::runs_after_jit;
  return verdict == Verdict::unknown ? Answer::unknown : Answer::does_not_run;
}

class PackageJudge {
 public:
  PackageJudge(const std::vector<std::unique_ptr<Coverage>>& coverages, const Request& request,
               Audit& result)
      : coverages_(coverages), request_(request), result_(result) {}

  void run() {
    find_shipped();
    find_answers();
    for (std::size_t index = 0; index < coverages_.size(); ++index) judge(index);
  }

 private:
  void find_shipped() {
    std::set<Device> devices;
    for (std::size_t index = 0; index < coverages_.size(); ++index) {
      auto served = serve_devices(result_.files[index].file, *coverages_[index], request_);
      for (auto& on : served) {
        if (is_without_driver(on.device)) on.ships = false;
        const bool is_asked = !request_.devices.empty();
        if (!is_asked && is_left_out(index, on.device)) {
          on.ships = on.has_failure = false;
        }
        if (on.ships || on.has_failure || is_asked || is_claimed(index, on.device)) {
          devices.insert(on.device);
        }
      }
      served_.push_back(std::move(served));
    }
    result_.devices.assign(devices.begin(), devices.end());
    find_places();
    find_shipped_by_most();
  }

  [[nodiscard]] const Claim* claim_of(std::size_t index) const {
    return find_claim(request_.claims, result_.files[index].file.path);
  }

  /// Reports whether the metadata of the file's package say that it is not for the device.
  [[nodiscard]] bool is_left_out(std::size_t index, Device device) const {
    const auto* claim = claim_of(index);
    return claim != nullptr && leaves_out(*claim, device);
  }

  /// Reports whether the metadata of the file's package name the device.
  [[nodiscard]] bool is_claimed(std::size_t index, Device device) const {
    const auto* claim = claim_of(index);
    return claim != nullptr && named_by(*claim).count(device) != 0;
  }

  /// Returns the archive that the file is in, static libraries aside; empty for files in none,
  /// which together are one package.
  [[nodiscard]] std::string_view package_of(std::size_t index) const {
    std::string_view path = result_.files[index].file.path;
    for (auto end = path.rfind('!'); end != std::string_view::npos; end = path.rfind('!')) {
      path = path.substr(0, end);
      if (!path.ends_with(".a") && !path.ends_with(".lib")) return path;
    }
    return {};
  }

  /// A module whose kernels cannot be named counts as one kernel.
  void find_places() {
    for (std::size_t index = 0; index < coverages_.size(); ++index) {
      for (const auto* row : launched_rows(*coverages_[index])) {
        const auto& name = row->name.empty() ? row->demangled.str() : row->name.str();
        places_[package_of(index)][name].push_back({index, row});
      }
    }
  }

  /// A package ships a device where most of its kernels are in files that do.
  void find_shipped_by_most() {
    for (const auto& [package, kernels] : places_) {
      for (const auto device : result_.devices) {
        const auto count = std::count_if(kernels.begin(), kernels.end(), [&](const auto& kernel) {
          return std::any_of(kernel.second.begin(), kernel.second.end(),
                             [&](const Place& place) { return ships(place.file, device); });
        });
        if (static_cast<std::size_t>(count) * 2 > kernels.size()) {
          shipped_.emplace(package, device);
        }
      }
    }
  }

  /// Answers for each GPU that somebody asked about. Of a kernel that several files have the best
  /// counts: host code picks the file.
  void find_answers() {
    for (const auto device : request_.devices) {
      if (request_.driver && misfit_of(*request_.driver, device)) {
        result_.answers[device] = Answer::does_not_run;
        continue;
      }
      if (is_beside_other_cpu(device)) {
        result_.answers[device] = Answer::does_not_run;
        find_other_cpu(device);
        continue;
      }
      std::array<std::size_t, 4> kernels = {};  // by answer
      for (const auto& [package, places_of] : places_) {
        for (const auto& [kernel, places] : places_of) {
          ++kernels.at(static_cast<std::size_t>(best_answer(places, device)));
        }
      }
      const auto all = std::accumulate(kernels.begin(), kernels.end(), std::size_t{0});
      if (all == 0) result_.answers[device] = Answer::does_not_run;
      std::size_t sum = 0;
      for (std::size_t answer = 0; answer < kernels.size() && all > 0; ++answer) {
        sum += kernels.at(answer);
        if (sum * 2 <= all) continue;
        result_.answers[device] = static_cast<Answer>(answer);
        break;
      }
    }
  }

  /// Reports whether no file is for the CPU that the GPU is soldered beside.
  [[nodiscard]] bool is_beside_other_cpu(Device device) const {
    const auto* gpu = table().find_architecture(device.number());
    return gpu != nullptr && !result_.files.empty() &&
           std::none_of(result_.files.begin(), result_.files.end(),
                        [&](const FileAudit& audit) { return may_meet(audit.file, *gpu); });
  }

  void find_other_cpu(Device device) {
    Finding finding;
    finding.code = "other-cpu";
    finding.device = device.text();
    finding.message = fmt::format(
        "the files are for {} CPUs, and this GPU is on boards with {} CPUs alone",
        result_.files.front().file.host_cpu, table().find_architecture(device.number())->host_cpu);
    finding.fix = "audit the package that is built for these boards";
    result_.findings.push_back(std::move(finding));
  }

  /// Reports whether the driver that was named refuses to load a file whose code the device takes.
  bool is_refused(std::size_t index, Device device) {
    if (!request_.driver) return false;
    const auto [known, is_new] = refused_.try_emplace({index, device}, false);
    if (is_new) {
      const auto& file = result_.files[index].file;
      const auto too_new = too_new_for(*request_.driver, {device}, file);
      known->second = (too_new.toolkit != nullptr && too_new.registered) ||
                      undecoded_by(*request_.driver, {device}, file).registered;
    }
    return known->second;
  }

  Answer best_answer(const std::vector<Place>& places, Device device) {
    auto best = Answer::does_not_run;
    for (const auto& place : places) {
      if (is_refused(place.file, device)) continue;
      const auto& coverage = *coverages_[place.file];
      const auto* driver = request_.driver ? &*request_.driver : nullptr;
      const auto decision = coverage.outline(*place.row, device, driver);
      best = std::min(best, answer_of(has_code(coverage, decision, device, request_),
                                      decision.judgement.verdict));
    }
    return best;
  }

  [[nodiscard]] const OnDevice* find_served(std::size_t index, Device device) const {
    const auto& served = served_[index];
    const auto found = std::find_if(served.begin(), served.end(),
                                    [&](const OnDevice& on) { return on.device == device; });
    return found == served.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool ships(std::size_t index, Device device) const {
    const auto* served = find_served(index, device);
    return served != nullptr && served->ships;
  }

  /// Whether the driver does not know a GPU that nobody named: of those that are, it is a finding.
  [[nodiscard]] bool is_without_driver(Device device) const {
    return request_.devices.empty() && request_.driver && misfit_of(*request_.driver, device);
  }

  /// Reports whether files that ship the device hold most kernels of this one: host code picks the
  /// file, by the CUDA that it finds or by the GPU.
  [[nodiscard]] bool has_variant(std::size_t index, Device device) {
    std::size_t elsewhere = 0;
    const auto& rows = coverages_[index]->kernels();
    const auto& places = places_[package_of(index)];
    const auto own = without_python(result_.files[index].file.path);
    for (const auto& row : rows) {
      const auto found = places.find(row.name.str());
      if (found == places.end()) continue;
      const bool is_elsewhere =
          std::any_of(found->second.begin(), found->second.end(), [&](const Place& place) {
            return place.file != index && ships(place.file, device) &&
                   without_python(result_.files[place.file].file.path) != own;
          });
      elsewhere += is_elsewhere ? 1 : 0;
    }
    return elsewhere * 2 > rows.size();
  }

  /// A path without the version of Python, by which Python picks the file, whatever the GPU.
  static std::string without_python(std::string path) {
    for (const std::string_view word : {"cpython-3", "cp3", "pp3"}) {
      const auto at = path.rfind(word);
      if (at == std::string::npos) continue;
      auto end = at + word.size();
      while (end < path.size() && path[end] >= '0' && path[end] <= '9') ++end;
      path.erase(at, end - at);
    }
    return path;
  }

  /// Reports whether some file of the package ships the device.
  [[nodiscard]] bool is_served(std::size_t index, Device device) const {
    for (std::size_t other = 0; other < coverages_.size(); ++other) {
      if (package_of(other) == package_of(index) && ships(other, device)) return true;
    }
    return false;
  }

  /// Returns the rule for a file that does not ship a device; nothing where the file need not.
  [[nodiscard]] std::optional<Rule> rule_for(std::size_t index, Device device) {
    const auto* served = find_served(index, device);
    if (served == nullptr || served->ships) return std::nullopt;
    if (has_variant(index, device)) return Rule::variant;
    if (is_claimed(index, device) && !is_served(index, device)) return Rule::claimed;
    if (shipped_.count({package_of(index), device}) != 0) return Rule::package;
    if (!request_.devices.empty()) return Rule::asked;
    return served->kernels == 0 && is_served(index, device) ? std::optional<Rule>(Rule::minority)
                                                            : std::nullopt;
  }

  void judge(std::size_t index) {
    auto& audit = result_.files[index];
    const auto& coverage = *coverages_[index];
    Promise promise;
    promise.accept = *request_.like_other_kernels;
    promise.driver = request_.driver;
    for (const auto& on : served_[index]) {
      if (on.ships && !is_beside_other_cpu(on.device)) promise.devices.push_back(on.device);
    }
    audit.rows = coverage::judge(audit.file, coverage, {promise}, result_.devices, request_).rows;
    FileJudge file(audit, coverage, request_, result_);
    file.judge_kernels();
    std::set<Device> judged(promise.devices.begin(), promise.devices.end());
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      const auto device = result_.devices[at];
      if (audit.rows.empty() || ships(index, device)) continue;
      if (is_beside_other_cpu(device)) continue;
      if (request_.devices.empty() && is_left_out(index, device)) continue;
      file.judge_failures(at);
      const auto rule = rule_for(index, device);
      if (!rule) continue;
      file.judge_file(at, *rule);
      judged.insert(device);
    }
    file.report();
    note_unjudged(index, judged);
  }

  /// Where fewer than most kernels run, it may be them or the others that are odd.
  void note_unjudged(std::size_t index, const std::set<Device>& judged) {
    std::set<Device> unknown;
    std::string few;
    for (const auto& on : served_[index]) {
      if (on.kernels == 0 || judged.count(on.device) != 0) continue;
      result_.unjudged.insert(on.device);
      if (is_without_driver(on.device)) {
        unknown.insert(on.device);
      } else {
        few += fmt::format("{}{} ({})", few.empty() ? "" : ", ", on.device.text(), on.kernels);
      }
    }
    const auto& path = result_.files[index].file.path;
    if (!few.empty()) {
      result_.remarks.push_back(
          {"served-in-part", path,
           fmt::format("not judged, as no more than half of its {} kernels are {} there: {}",
                       coverages_[index]->kernels().size(),
                       list_verdicts(*request_.like_other_kernels), few)});
    }
    if (!unknown.empty()) {
      result_.remarks.push_back({"gpus-without-driver", path,
                                 fmt::format("not judged, as they do not run with {}: {}",
                                             request_.driver->name, list_devices(unknown))});
    }
  }

  const std::vector<std::unique_ptr<Coverage>>& coverages_;
  const Request& request_;
  Audit& result_;
  std::vector<std::vector<OnDevice>> served_;  ///< by file
  std::map<std::pair<std::size_t, Device>, bool> refused_;
  /// By package, where most of its kernels are in files that ship the device.
  std::set<std::pair<std::string_view, Device>> shipped_;
  using Places = std::unordered_map<std::string_view, std::vector<Place>>;  ///< by kernel
  std::map<std::string_view, Places> places_;                               ///< by package
};

}  // namespace

const char* name_of(Answer answer) {
  constexpr std::array<const char*, 4> kAnswers = {"runs", "runs-after-jit", "unknown",
                                                   "does-not-run"};
  return kAnswers.at(static_cast<std::size_t>(answer));
}

const char* name_of(Rule rule) {
  return kRules.at(static_cast<std::size_t>(rule)).name;
}

void set_apart_suspects(FileAudit& file, const Coverage& coverage, const Request& request,
                        std::vector<Breach>& breaches, Audit& audit) {
  const auto is_strict = [](const Breach& breach) { return breach.strict; };
  if (std::all_of(breaches.begin(), breaches.end(), is_strict)) return;
  FileJudge judge(file, coverage, request, audit);
  judge.set_apart(breaches);
  judge.report();
}

void judge_package(const std::vector<std::unique_ptr<Coverage>>& coverages, const Request& request,
                   Audit& audit) {
  PackageJudge(coverages, request, audit).run();
}

}  // namespace archgrid::coverage
