// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "budget.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "ignore.hpp"
#include "joined.hpp"

namespace archgrid::coverage {
namespace {

using fatbin::Arch;
using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;

using Amount = std::optional<std::uint64_t>;

Amount registers_of(const Kernel& kernel) {
  return kernel.registers;
}
Amount spills_of(const Kernel& kernel) {
  if (!kernel.spill_stores || !kernel.spill_loads) return std::nullopt;
  return std::uint64_t{*kernel.spill_stores} + *kernel.spill_loads;
}
Amount stack_of(const Kernel& kernel) {
  return kernel.stack;
}
Amount shared_of(const Kernel& kernel) {
  return kernel.shared;
}

/// A measure of a kernel that a budget may limit.
struct Measure {
  std::optional<std::uint64_t> Budget::*limit;
  Amount (*amount)(const Kernel&);
  const char* name;
  Version since;  ///< the first toolkit whose code records it
};

constexpr std::array<Measure, 4> kMeasures = {{
    {&Budget::registers, registers_of, "registers", {}},
    {&Budget::spill_bytes, spills_of, "spills", {12, 8}},
    {&Budget::stack_bytes, stack_of, "stack", {}},
    {&Budget::shared_bytes, shared_of, "shared", {}},
}};

// An order with 90 before 100.
struct LessArch {
  bool operator()(Arch left, Arch right) const {
    return std::make_tuple(left.number, left.suffix) < std::make_tuple(right.number, right.suffix);
  }
};
using Amounts = std::map<Arch, std::uint64_t, LessArch>;
using ArchSet = std::set<Arch, LessArch>;

template <typename Archs>
std::string list_archs(const Archs& archs) {
  std::vector<std::string> texts;
  for (const auto arch : archs) texts.push_back(arch.text());
  return joined(texts);
}

/// Returns the facts that every message about a budget contains.
Facts facts_of(const Budget& budget, const char* measure, std::uint64_t limit) {
  return {{"place", budget.place},
          {"reason", budget.reason},
          {"measure", measure},
          {"limit", std::to_string(limit)}};
}

/// The machine code of a file, by kernel name, without the objects of a device link: only the
/// linked code runs.
using Bodies =
    std::unordered_map<std::string_view, std::vector<std::pair<const Image*, const Kernel*>>>;

Bodies bodies_of(const fatbin::File& file) {
  const bool linked = std::any_of(file.modules.begin(), file.modules.end(),
                                  [](const fatbin::Module& module) { return module.linked; });
  Bodies bodies;
  for (const auto& image : file.images) {
    const bool is_part = linked && file.modules[image.module].relocatable;
    if (image.kind != Kind::sass || is_part) continue;
    for (const auto& kernel : image.kernels) bodies[kernel.name].emplace_back(&image, &kernel);
  }
  return bodies;
}

constexpr const char* kBudgetUnknown = "budget-unknown";

/// Kernels with an image that does not record an amount which a budget limits.
struct Unknown {
  std::vector<const KernelRow*> kernels;
  ArchSet archs;
  std::set<std::string> toolkits;

  [[nodiscard]] bool is_older_than(Version version) const {
    return toolkits.empty() ? Version{} < version
                            : std::any_of(toolkits.begin(), toolkits.end(), [&](const auto& text) {
                                return parse_version(text).value_or(Version{}) < version;
                              });
  }

  void add(const Unknown& other) {
    kernels.insert(kernels.end(), other.kernels.begin(), other.kernels.end());
    archs.insert(other.archs.begin(), other.archs.end());
    toolkits.insert(other.toolkits.begin(), other.toolkits.end());
  }
};

class BudgetEvaluator {
 public:
  BudgetEvaluator(const Request& request, std::vector<bool>& ignore_used, Audit& result)
      : request_(request), ignore_used_(ignore_used), result_(result) {}

  void judge() {
    for (const auto& file : result_.files) {
      const auto bodies = bodies_of(file.file);
      for (const auto& budget : request_.budgets) judge(budget, file, bodies);
    }
    for (const auto& budget : request_.budgets) note_use(budget);
  }

 private:
  void judge(const Budget& budget, const FileAudit& file, const Bodies& bodies) {
    if (budget.bytes_per_arch) judge_bytes(budget, file.file);
    for (const auto& measure : kMeasures) {
      if (budget.*measure.limit) judge_kernels(budget, measure, file, bodies);
    }
  }

  void judge_kernels(const Budget& budget, const Measure& measure, const FileAudit& file,
                     const Bodies& bodies) {
    Unknown unknown;
    for (const auto& row : file.rows) {
      const auto found = bodies.find(row.kernel.name.str());
      if (found == bodies.end() || !is_meant(budget, row.kernel)) continue;
      Amounts over;
      Unknown own;
      for (const auto& [image, kernel] : found->second) {
        if (!is_meant(budget, image->arch)) continue;
        used_.insert(budget.place);
        const auto amount = measure.amount(*kernel);
        if (!amount) {
          own.archs.insert(image->arch);
          if (!image->toolkit.empty()) own.toolkits.insert(image->toolkit);
        } else if (*amount > *(budget.*measure.limit)) {
          auto& most = over[image->arch];
          most = std::max(most, *amount);
        }
      }
      if (is_repeated(budget, row.kernel)) continue;
      if (!over.empty()) add_over(budget, measure, file, row.kernel, over);
      if (own.archs.empty()) continue;
      own.kernels = {&row.kernel};
      if (is_unknown_ignored(file, row.kernel)) {
        add_unknown(budget, measure, file, own);
      } else {
        unknown.add(own);
      }
    }
    if (!unknown.kernels.empty()) add_unknown(budget, measure, file, unknown);
  }

  void add_over(const Budget& budget, const Measure& measure, const FileAudit& file,
                const KernelRow& kernel, const Amounts& amounts) {
    auto finding = finding_of("over-budget", file.file, &kernel);
    finding.facts = facts_of(budget, measure.name, *(budget.*measure.limit));
    std::vector<std::string> archs;
    std::vector<std::string> most;
    for (const auto& [arch, amount] : amounts) {
      archs.push_back(arch.text());
      most.push_back(std::to_string(amount));
    }
    finding.facts["archs"] = joined(archs);
    finding.facts["amounts"] = joined(most);
    add(std::move(finding), &kernel);
  }

  void add_unknown(const Budget& budget, const Measure& measure, const FileAudit& file,
                   const Unknown& unknown) {
    const auto& first = *unknown.kernels.front();
    const auto count = unknown.kernels.size();
    auto finding = finding_of(kBudgetUnknown, file.file, &first);
    finding.kernels = count;
    finding.facts = facts_of(budget, measure.name, *(budget.*measure.limit));
    finding.facts["kernels"] = std::to_string(count);
    finding.facts["archs"] = list_archs(unknown.archs);
    finding.facts["toolkits"] = joined(unknown.toolkits);
    if (unknown.is_older_than(measure.since)) finding.facts["since"] = measure.since.text();
    add(std::move(finding), &first);
  }

  void judge_bytes(const Budget& budget, const fatbin::File& file) {
    Amounts code;
    Amounts all;
    for (const auto& image : file.images) {
      if (!is_meant(budget, image.arch)) continue;
      used_.insert(budget.place);
      all[image.arch] += image.stored;
      if (image.kind == Kind::sass) code[image.arch] += image.stored;
    }
    for (const auto& [arch, bytes] : all) {
      if (bytes <= *budget.bytes_per_arch) continue;
      auto finding = finding_of("over-budget", file, nullptr);
      finding.facts = facts_of(budget, "bytes", *budget.bytes_per_arch);
      finding.facts["archs"] = arch.text();
      finding.facts["amounts"] = std::to_string(bytes);
      finding.facts["code"] = std::to_string(code[arch]);
      add(std::move(finding), nullptr);
    }
  }

  Finding finding_of(const char* code, const fatbin::File& file, const KernelRow* kernel) const {
    Finding finding;
    finding.code = code;
    finding.path = file.path;
    finding.cell = request_.cell;
    if (kernel == nullptr) return finding;
    finding.kernel = kernel->name;
    finding.demangled = kernel->demangled;
    return finding;
  }

  void add(Finding finding, const KernelRow* kernel) {
    const auto* ignore = kernel == nullptr ? nullptr : ignore_for(finding, *kernel);
    if (ignore == nullptr) {
      result_.findings.push_back(std::move(finding));
    } else {
      result_.ignored.push_back({std::move(finding), ignore->reason});
    }
  }

  // An ignore with devices applies to these devices; a budget has none.
  static bool ignores(const Ignore& ignore, std::string_view code, const KernelRow& kernel,
                      std::string_view path) {
    return ignore.devices.empty() && is_about(ignore, code, kernel, path);
  }

  [[nodiscard]] bool is_unknown_ignored(const FileAudit& file, const KernelRow& kernel) const {
    return std::any_of(request_.ignores.begin(), request_.ignores.end(), [&](const Ignore& ignore) {
      return ignores(ignore, kBudgetUnknown, kernel, file.file.path);
    });
  }

  const Ignore* ignore_for(const Finding& finding, const KernelRow& kernel) {
    const Ignore* found = nullptr;
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      const auto& ignore = request_.ignores[index];
      if (!ignores(ignore, finding.code, kernel, finding.path)) continue;
      ignore_used_[index] = true;
      if (found == nullptr) found = &ignore;
    }
    return found;
  }

  static bool is_meant(const Budget& budget, const KernelRow& kernel) {
    return budget.kernels.empty() || matches_kernel(budget.kernels, kernel);
  }

  /// Reports whether an earlier pattern of the same entry matches the kernel, too.
  [[nodiscard]] bool is_repeated(const Budget& budget, const KernelRow& kernel) const {
    return std::any_of(request_.budgets.data(), &budget, [&](const Budget& earlier) {
      return !budget.entry.empty() && earlier.entry == budget.entry && is_meant(earlier, kernel);
    });
  }

  [[nodiscard]] bool is_meant(const Budget& budget, Arch arch) const {
    const auto& archs = budget.archs;
    const bool named = archs.empty() || std::find(archs.begin(), archs.end(), arch) != archs.end();
    return named && is_audited(arch);
  }

  // Every audit includes code that no promised device runs.
  [[nodiscard]] bool is_audited(Arch arch) const {
    const auto runs = [&](ComputeCapability device) {
      return sass_loads(arch, device) != Loads::no;
    };
    const auto& asked = request_.devices;
    if (asked.empty() || std::any_of(asked.begin(), asked.end(), runs)) return true;
    const auto& promises = request_.promises;
    return std::none_of(promises.begin(), promises.end(), [&](const Promise& promise) {
      return std::any_of(promise.devices.begin(), promise.devices.end(), runs);
    });
  }

  void note_use(const Budget& budget) {
    if (used_.count(budget.place) != 0) {
      result_.used.insert(budget.place);
      return;
    }
    Finding finding;
    finding.code = "unused-budget";
    finding.facts = {
        {"place", budget.place}, {"kernels", budget.kernels}, {"archs", list_archs(budget.archs)}};
    if (budget.bytes_per_arch) finding.facts["measure"] = "bytes";
    result_.unused.emplace(budget.place, std::move(finding));
  }

  const Request& request_;
  std::vector<bool>& ignore_used_;
  Audit& result_;
  std::set<std::string> used_;  ///< places of budgets with a match
};

}  // namespace

void judge_budgets(const Request& request, std::vector<bool>& ignore_used, Audit& result) {
  if (request.budgets.empty()) return;
  BudgetEvaluator(request, ignore_used, result).judge();
}

}  // namespace archgrid::coverage
