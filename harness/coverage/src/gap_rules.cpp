// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "gap_rules.hpp"

#include <algorithm>
#include <archgrid/coverage/rules.hpp>
#include <utility>

#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

/// Reports whether Python imports the library at this path.
bool is_python_module(std::string_view path) {
  const auto name = library_of(path);
  return name.ends_with(".abi3.so") || name.ends_with(".pyd") ||
         name.find(".cpython-") != std::string_view::npos || name == "_C.so";
}

/// Reports whether Python code may decide what a file launches, by the compute capability.
bool is_checked_by_python(std::string_view path, const Claim* claim) {
  return claim != nullptr && claim->python_checks && is_python_module(path);
}

}  // namespace

GapRules::GapRules(const FileContext& file, const FileEvidence& evidence, KernelService& service)
    : file_(file), evidence_(evidence), service_(service) {}

void GapRules::add_explained(const Gap& gap) {
  if (takes_machine_code(gap)) return;
  if (!service_.needs_newer_gpu(gap.kernel, file_.result.devices[gap.device])) return;
  explained_.emplace(evidence_.lists[gap.prediction.module].text, gap.device,
                     family_of(kernel_of(file_, gap.kernel).name.str()));
}

Defect GapRules::defect_of(const Gap& gap) const {
  const auto verdict = gap.prediction.verdict;
  switch (verdict) {
    case Verdict::native:
    case Verdict::compatible:
      return {name_of(verdict), Rule::compatible};
    case Verdict::jit:
      return {name_of(verdict), Rule::jit};
    case Verdict::unknown:
      return {name_of(verdict), Rule::unknown};
    case Verdict::ptx_too_new:
      return {name_of(verdict), Rule::driver};
    case Verdict::empty:
      return refusal_of(gap);
    case Verdict::wrong_suffix:
    case Verdict::missing:
      break;
  }
  const auto explanation = explanation_of(gap);
  if (!takes_machine_code(gap)) {
    return {"unit-lacks-arch", explanation ? *explanation : rule_of_unit(gap)};
  }
  if (explanation) return {"not-in-image", *explanation};
  if (file_.selector.is_of_part_without_code(kernel_of(file_, gap.kernel), gap.prediction.module,
                                             file_.result.devices[gap.device])) {
    return {"unit-lacks-arch", Rule::unit};
  }
  return {has_other_name(gap) ? "name-differs" : "not-in-image",
          may_be_checked(gap) ? Rule::python_checks : Rule::registered};
}

std::optional<Defect> GapRules::suspect_for(const Gap& gap) const {
  const auto verdict = gap.prediction.verdict;
  if (verdict == Verdict::empty) {
    const auto defect = refusal_of(gap);
    const bool is_suspect = severity_of(defect.rule) == Severity::suspect;
    return is_suspect ? std::optional<Defect>(defect) : std::nullopt;
  }
  if (verdict != Verdict::missing && verdict != Verdict::wrong_suffix) return std::nullopt;
  const bool lacks_arch = !takes_machine_code(gap);
  if (lacks_arch && evidence_.lists[gap.prediction.module].is_suffixed) {
    return Defect{name_of(verdict), Rule::suffix};
  }
  return is_named_for_others(gap) ? std::optional<Defect>({name_of(verdict), Rule::named})
                                  : std::nullopt;
}

Defect GapRules::refusal_of(const Gap& gap) const {
  const auto device = file_.result.devices[gap.device];
  const auto& kernel = kernel_of(file_, gap.kernel);
  const auto& [verdict, reason, module] = gap.prediction;
  const auto* taken = file_.selector.taken_kernel(kernel, module, device);
  const auto body = reason.body;
  const bool is_idle_ptx = reason.kind == fatbin::Kind::ptx &&
                           file_.selector.works_for_newer_arch(kernel, module, reason.arch, device);
  return {code_of(verdict, reason), rule_of_refusal(gap, taken, body), body,
          is_idle_ptx ? reason.arch : fatbin::Arch()};
}

bool GapRules::is_unexplained_refusal(const Gap& gap) const {
  const auto device = file_.result.devices[gap.device];
  const auto* taken =
      file_.selector.taken_kernel(kernel_of(file_, gap.kernel), gap.prediction.module, device);
  const auto rule = rule_of_body(gap, taken, gap.prediction.reason.body);
  return severity_of(rule) == Severity::error || rule == Rule::older_gpus;
}

/// Returns the rule for a kernel whose body does no work. `taken`: that body; may be null.
Rule GapRules::rule_of_refusal(const Gap& gap, const fatbin::Kernel* taken,
                               fatbin::Body body) const {
  const auto& kernel = kernel_of(file_, gap.kernel);
  if (!is_of_nvidia(gap) && worked_before(gap)) return Rule::worked;
  if (kernel.loaded_explicitly) return Rule::host_picks;
  if (!file_.selector.is_named_by_host(kernel)) return Rule::not_registered;
  return rule_of_body(gap, taken, body);
}

/// Returns the rule by names and by the GPUs on which the kernel and others work.
Rule GapRules::rule_of_body(const Gap& gap, const fatbin::Kernel* taken, fatbin::Body body) const {
  const auto device = file_.result.devices[gap.device];
  const auto& kernel = kernel_of(file_, gap.kernel);
  const bool reports = fatbin::prints_or_asserts(body);
  if (is_named_for_others(gap)) return Rule::named;
  if (is_of_nvidia(gap)) return Rule::nvidia;
  const bool in_generation = service_.works_in_generation(gap.kernel, device);
  if (reports && in_generation) return Rule::own_generation;
  const bool has_message = taken != nullptr && taken->message != nullptr;
  if (reports && has_message && names_gpus(*taken->message)) return Rule::says;
  if (types_explain_refusals(gap)) return Rule::types;
  if (service_.working_families(gap.device).count(family_of(kernel.name.str())) != 0)
    return Rule::sibling;
  if (service_.has_complement(gap.kernel)) return Rule::complement;
  // The guard saw the arch of the code, which is older than the device if that is PTX.
  const auto compiled_for = gap.prediction.reason.arch.number;
  const auto& served = service_.served_by(gap.kernel);
  const bool on_older = !served.empty() && served.front().number() < compiled_for;
  if (on_older && !in_generation) return Rule::older_gpus;
  if (service_.works_on_new_hardware_alone(gap.kernel, device)) return Rule::newer_generation;
  if (!takes_machine_code(gap) && evidence_.has_many_lists) return Rule::arch_lists;
  return may_be_checked(gap) ? Rule::python_checks : Rule::no_sibling;
}

std::optional<Rule> GapRules::explanation_of(const Gap& gap) const {
  const auto device = file_.result.devices[gap.device];
  const auto& kernel = kernel_of(file_, gap.kernel);
  const auto& list = evidence_.lists[gap.prediction.module];
  if (kernel.loaded_explicitly) return Rule::host_picks;
  const bool lacks_arch = !takes_machine_code(gap);
  if (lacks_arch && list.is_suffixed) return Rule::suffix;
  if (!file_.selector.is_named_by_host(kernel)) return Rule::not_registered;
  if (is_named_for_others(gap)) return Rule::named;
  if (is_of_nvidia(gap)) return Rule::nvidia;
  if (lacks_arch && evidence_.compiles_at_run_time) return Rule::compiles;
  if (!lacks_arch) {
    const bool is_checked = needs_checked_type(kernel.name.str(), device);
    return is_checked ? std::optional<Rule>(Rule::types) : std::nullopt;
  }
  if (service_.needs_newer_gpu(gap.kernel, device)) return Rule::types;
  if (explained_.count({list.text, gap.device, family_of(kernel.name.str())}) != 0) {
    return Rule::types;
  }
  return evidence_.has_many_lists ? std::optional<Rule>(Rule::arch_lists) : std::nullopt;
}

std::optional<Rule> GapRules::explanation_in_file(const Gap& gap) const {
  const auto rule = explanation_of(gap);
  if (rule || takes_machine_code(gap) || !lacks_instructions(gap)) return rule;
  return Rule::instructions;
}

/// Returns the rule for a unit without code for a device, if names do not explain the gap.
Rule GapRules::rule_of_unit(const Gap& gap) const {
  if (lacks_instructions(gap)) return Rule::instructions;
  if (may_compile(gap)) return Rule::compiles;
  return may_be_of_another_generation(gap) ? Rule::python_checks : Rule::unit;
}

/// Reports whether a unit compiled only for newer archs needs them, or another unit with the same
/// archs does.
bool GapRules::lacks_instructions(const Gap& gap) const {
  const auto number = file_.result.devices[gap.device].number();
  const auto module = gap.prediction.module;
  const auto first = evidence_.first_with.find(evidence_.lists[module].text);
  return number < evidence_.oldest[module].first_device ||
         (first != evidence_.first_with.end() && number < first->second &&
          number < evidence_.oldest[module].arch);
}

/// Reports whether the file is a Python module, and the package's Python code checks the compute
/// capability.
bool GapRules::python_checks() const {
  const auto& path = file_.audit.file.path;
  return is_checked_by_python(path, find_claim(file_.request.claims, path));
}

/// Reports whether Python code checks the compute capability, and the kernel works only on newer
/// GPUs.
bool GapRules::may_be_checked(const Gap& gap) const {
  const auto& served = service_.served_by(gap.kernel);
  return !served.empty() && file_.result.devices[gap.device] < served.front() && python_checks();
}

/// Reports whether Python code checks the compute capability, and the kernel works only on older
/// GPUs, while other units of the file are for this GPU alone.
bool GapRules::may_be_of_another_generation(const Gap& gap) const {
  const auto device = file_.result.devices[gap.device];
  const auto& served = service_.served_by(gap.kernel);
  return !served.empty() && served.back() < device &&
         evidence_.compiled_alone.count(device.number()) != 0 && python_checks();
}

/// Reports whether host code mentions NVRTC and the module is only for newer GPUs: on older GPUs,
/// which are excluded on purpose, host code may compile the kernel at run time.
bool GapRules::may_compile(const Gap& gap) const {
  return file_.audit.file.mentions_nvrtc &&
         file_.result.devices[gap.device].number() < evidence_.oldest[gap.prediction.module].arch;
}

bool GapRules::worked_before(const Gap& gap) const {
  const auto& baseline = file_.request.baseline;
  return baseline && worked(*baseline, trouble_of(file_, gap.kernel, gap.device));
}

bool GapRules::is_named_for_others(const Gap& gap) const {
  return is_for_others(service_.gpus_named(gap.kernel, gap.prediction.module),
                       file_.result.devices[gap.device]);
}

bool GapRules::is_of_nvidia(const Gap& gap) const {
  return evidence_.of_nvidia[gap.prediction.module] ||
         coverage::is_of_nvidia(kernel_of(file_, gap.kernel).name.str(),
                                library_of(file_.audit.file.path));
}

/// Reports whether a type or instruction in the kernel's name explains an empty body: no GPU that
/// has it gets an empty body.
bool GapRules::types_explain_refusals(const Gap& gap) const {
  if (!service_.needs_newer_gpu(gap.kernel, file_.result.devices[gap.device])) return false;
  const auto& gpus = table().architectures;
  return std::none_of(gpus.begin(), gpus.end(), [&](const auto& gpu) {
    if (service_.needs_newer_gpu(gap.kernel, gpu.device)) return false;
    const auto prediction =
        file_.selector.predict(kernel_of(file_, gap.kernel), gpu.device, file_.driver);
    return prediction.verdict == Verdict::empty;
  });
}

/// Reports whether the image that the device loads has a variant of the kernel which host code
/// never names: probably the same kernel, if its name depends on `__CUDA_ARCH__`.
bool GapRules::has_other_name(const Gap& gap) const {
  const auto& row = kernel_of(file_, gap.kernel);
  const auto family = family_of(row.name.str());
  for (const auto* image :
       file_.selector.taken_images(row, file_.result.devices[gap.device], file_.driver)) {
    for (const auto& other : image->kernels) {
      if (!other.named_by_host && family_of(other.name) == family) return true;
    }
  }
  return false;
}

bool GapRules::takes_machine_code(const Gap& gap) const {
  return file_.selector.takes_machine_code(gap.prediction.module, file_.result.devices[gap.device]);
}

Rule rule_of_file(const FileContext& file, std::size_t at, std::size_t lacking,
                  const std::map<Rule, std::size_t>& explained) {
  std::size_t count = 0;
  for (const auto& [rule, kernels] : explained) count += kernels;
  if (count * 2 > lacking) {
    const auto less = [](const auto& left, const auto& right) {
      return left.second < right.second;
    };
    return std::max_element(explained.begin(), explained.end(), less)->first;
  }
  if (file.audit.file.format == "object") return Rule::unit;  // for later links
  if (lacking < file.audit.rows.size()) return Rule::package;
  const auto number = file.result.devices[at].number();
  const auto& images = file.audit.file.images;
  const bool is_for_older = std::any_of(images.begin(), images.end(), [&](const auto& image) {
    return image.kind == fatbin::Kind::sass && image.arch.number < number;
  });
  if (is_for_older) return Rule::left_behind;
  const auto* claim = find_claim(file.request.claims, file.audit.file.path);
  if (claim == nullptr || !claim->described || file.result.devices[at] < *claim->described) {
    return Rule::newer_gpus;
  }
  return is_checked_by_python(file.audit.file.path, claim) ? Rule::python_checks : Rule::claimed;
}

}  // namespace archgrid::coverage
