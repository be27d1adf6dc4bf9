// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "archgrid.audit/1";
constexpr const char* kKnown = "known from ";

/// Returns "cell\npkg/libx.so": the path in a package, or as specified, without versions.
std::string file_key(const std::string& cell, const std::string& path) {
  const auto package = path.find('!');
  return cell + '\n' +
         without_versions(package == std::string::npos ? path : path.substr(package + 1));
}

std::string name_key(const std::string& cell, const std::string& path) {
  return cell + '\n' + without_versions(path.substr(path.find_last_of("/!") + 1));
}

/// Returns "cell\nx.whl", with the archive that contains the file; empty if there is none.
std::string package_key(const std::string& cell, const std::string& path) {
  const auto package = std::string(package_of(path));
  return package.empty() ? package : name_key(cell, package);
}

/// Returns "cell\nvllm" of "cell\nvllm-cp38-abi3.whl", the name that all releases of a wheel have;
/// the key itself for other archives.
std::string_view project_in(std::string_view package_key) {
  return package_key.ends_with(".whl") ? package_key.substr(0, package_key.find('-')) : package_key;
}

std::string finding_key(const std::string& file, const std::string& code, const std::string& rule,
                        const std::string& subject) {
  return fmt::format("{}\n{}\n{}\n{}", file, code, rule, subject);
}

/// Returns a name for the codes that audits with and without a promise, or earlier releases, give
/// to the same kernels.
std::string class_of(const std::string& code) {
  for (const char* body : {"empty", "trap", "stub"}) {
    if (code == body) return "idle-body";
  }
  for (const char* gap :
       {"missing", "not-in-image", "name-differs", "unit-lacks-arch", "file-lacks-arch"}) {
    if (code == gap) return "no-code";
  }
  return code;
}

/// Returns the key of findings of one class, whatever their rule.
std::string class_key(const std::string& file, const std::string& code, const std::string& device) {
  return finding_key(file, class_of(code), "", device);
}

std::string text_at(const json& object, const char* key) {
  return object.contains(key) ? object.at(key).get<std::string>() : std::string();
}

ComputeCapability device_at(const std::string& text) {
  const auto device = parse_device(text);
  if (!device) throw std::invalid_argument(fmt::format("\"{}\" is no GPU", text));
  return *device;
}

Verdict verdict_at(const std::string& text) {
  const auto verdict = parse_verdict(text);
  if (!verdict) throw std::invalid_argument(fmt::format("\"{}\" is no verdict", text));
  return *verdict;
}

std::optional<Driver> driver_at(const json& document) {
  const auto text = text_at(document, "driver");
  if (text.empty()) return std::nullopt;
  auto driver = parse_driver(text);
  if (!driver) throw std::invalid_argument(fmt::format("\"{}\" is no driver", text));
  return driver;
}

void add_file(const json& file, Baseline& baseline) {
  const auto cell = text_at(file, "cell");
  const auto path = file.at("path").get<std::string>();
  const auto key = file_key(cell, path);
  const auto [named, is_new] = baseline.files_by_name.emplace(name_key(cell, path), key);
  if (!is_new) named->second.clear();
  auto package = package_key(cell, path);
  if (!package.empty()) baseline.packages.emplace(key, std::move(package));
  if (file.contains("by_ptx")) {
    for (const auto& device : file.at("by_ptx")) {
      baseline.by_ptx[key].push_back(device_at(device.get<std::string>()));
    }
  }
  auto& kernels = baseline.files[key];
  for (const auto& kernel : file.at("kernels")) {
    const auto mangled = kernel.at("name").get<std::string>();
    auto& verdicts = kernels[mangled.empty() ? text_at(kernel, "demangled") : mangled];
    for (const auto& [device, verdict] : kernel.at("verdicts").items()) {
      verdicts[device_at(device)] = verdict_at(verdict.get<std::string>());
    }
  }
}

void add_finding(const json& finding, Baseline& baseline) {
  const auto file = file_key(text_at(finding, "cell"), text_at(finding, "path"));
  const auto code = finding.at("code").get<std::string>();
  auto rule = text_at(finding, "rule");
  std::vector<std::string> subjects;
  if (!rule.empty()) {
    for (const auto& device : finding.at("devices")) {
      subjects.push_back(device_at(device.get<std::string>()).text());
    }
  } else if (finding.contains("facts")) {
    auto facts = finding.at("facts").get<Facts>();
    if (facts.empty()) throw std::invalid_argument("empty \"facts\"");
    const auto subject = text_at(finding, "device") + '\n' + text_at(finding, "kernel");
    baseline.facts[finding_key(file, code, "", subject)].push_back(std::move(facts));
  } else if (finding.contains("kernel") && finding.contains("device")) {
    rule = name_of(Rule::promised);  // earlier releases wrote no rule
    subjects.push_back(text_at(finding, "device"));
  } else {
    subjects.push_back(text_at(finding, "message"));
  }
  for (const auto& subject : subjects) {
    if (!rule.empty()) baseline.troubled.insert(class_key(file, code, subject));
    baseline.findings.insert(finding_key(file, code, rule, subject));
  }
}

/// Reports whether the audit was of a promise. Another one answers a question, or notes that
/// nothing was promised.
std::optional<bool> has_promise(const json& document) {
  if (document.contains("answers")) return false;
  if (!document.contains("notes")) return std::nullopt;
  const auto& notes = document.at("notes");
  return std::none_of(notes.begin(), notes.end(), [](const json& note) {
    return text_at(note, "code") == "like-other-kernels";
  });
}

void add_findings(const json& document, Baseline& baseline) {
  for (const char* list : {"findings", "suspects"}) {
    for (const auto& finding : document.at(list)) add_finding(finding, baseline);
  }
  for (const auto& finding : document.at("ignored")) {
    const bool was_known = text_at(finding, "reason").starts_with(kKnown);
    if (was_known) add_finding(finding, baseline);
  }
}

/// The devices on which each kernel ran.
using RanByKernel = std::unordered_map<std::string_view, std::set<ComputeCapability>>;

/// Adds the kernels of a file that ran by one of the verdicts, and those that ran `also`.
void add_ran(const Baseline& baseline, const std::string& file, const std::set<Verdict>& by,
             const std::vector<ComputeCapability>& also, RanByKernel& ran, RanOn& on) {
  const auto& kernels = baseline.files.at(file);
  std::map<ComputeCapability, std::size_t> in_file;
  for (const auto& [kernel, verdicts] : kernels) {
    std::set<ComputeCapability> devices(also.begin(), also.end());
    for (const auto& [device, verdict] : verdicts) {
      if (by.count(verdict) != 0) devices.insert(device);
    }
    for (const auto device : devices) ++in_file[device];
    ran[kernel].merge(devices);
  }
  // Libraries of NVIDIA are not the package's own.
  const bool is_own = !is_library_of_nvidia(file.substr(file.find('\n') + 1));
  for (const auto& [device, count] : in_file) {
    if (is_own && count * 2 > kernels.size()) on.served.insert(device);
  }
}

void count_ran(const RanByKernel& ran, RanOn& on) {
  for (const auto& [kernel, devices] : ran) {
    for (const auto device : devices) ++on.kernels[device];
  }
}

/// Reports whether a finding has the facts of the baseline. Ignores the place in a matrix file, and
/// the driver to install, which depends on other files.
bool has_facts(const Facts& finding, const Facts& baseline) {
  constexpr std::array<std::string_view, 2> kOfOthers = {"place", "install"};
  return std::all_of(baseline.begin(), baseline.end(), [&](const auto& fact) {
    if (std::find(kOfOthers.begin(), kOfOthers.end(), fact.first) != kOfOthers.end()) return true;
    const auto found = finding.find(fact.first);
    return found != finding.end() && found->second == fact.second;
  });
}

/// Returns the rules that count as the same: those that decide the same when the user asks about
/// the GPU, or does not ask, and the rule of a change that the baseline's own baseline showed.
std::vector<std::string> same_rules(const std::string& rule) {
  std::vector<std::string> rules = {rule, name_of(Rule::worked)};
  for (const auto unasked : {Rule::minority, Rule::older_gpus}) {
    if (rule == name_of(Rule::asked)) rules.emplace_back(name_of(unasked));
    if (rule == name_of(unasked)) rules.emplace_back(name_of(Rule::asked));
  }
  return rules;
}

/// Returns the kernel's verdict in the baseline's file with the key; nothing without one.
std::optional<Verdict> verdict_in(const Baseline& baseline, const std::string& file,
                                  const KernelTrouble& trouble) {
  const auto& kernels = baseline.files.at(file);
  const auto kernel = kernels.find(trouble.kernel);
  if (kernel == kernels.end()) return std::nullopt;
  const auto verdict = kernel->second.find(trouble.device);
  return verdict == kernel->second.end() ? std::nullopt : std::optional(verdict->second);
}

/// Reports whether the file is a regular one that does not start as a JSON object does.
bool is_other_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream stream(path, std::ios::binary);
  char first = 0;
  stream >> first;
  return stream && first != '{';
}

/// Returns the key of the baseline's file; empty if there is none.
std::string find_file(const Baseline& baseline, const std::string& cell, const std::string& path) {
  auto key = file_key(cell, path);
  if (baseline.files.count(key) != 0) return key;
  const auto named = baseline.files_by_name.find(name_key(cell, path));
  return named == baseline.files_by_name.end() ? std::string() : named->second;
}

}  // namespace

Baseline read_baseline(const std::filesystem::path& path) {
  Baseline baseline;
  baseline.path = path.string();
  try {
    const auto document = json::parse(read_json_text(path));
    if (text_at(document, "schema") != kSchema) {
      throw std::invalid_argument(fmt::format("its \"schema\" is not \"{}\"", kSchema));
    }
    baseline.driver = driver_at(document);
    baseline.has_promise = has_promise(document);
    baseline.version = text_at(document, "version");
    baseline.body_rules = document.value("body_rules", 0);
    for (const auto& file : document.at("files")) add_file(file, baseline);
    add_findings(document, baseline);
  } catch (const JsonError& error) {
    if (!is_other_file(path)) throw BaselineError(error.what());
    throw BaselineError(
        fmt::format("{0}: not JSON: a baseline is what an earlier audit wrote\n  fix: write it "
                    "first: archgrid audit {0} --json=old.json",
                    fatbin::printable(baseline.path)));
  } catch (const std::exception& error) {  // from JSON, and those above
    throw BaselineError(fmt::format("{}: {}: a baseline is what `archgrid audit --json=FILE` wrote",
                                    baseline.path, error.what()));
  }
  return baseline;
}

bool has_file(const Baseline& baseline, const std::string& cell, const std::string& path) {
  return !find_file(baseline, cell, path).empty();
}

bool has_driver(const Baseline& baseline, const std::optional<Driver>& driver) {
  const auto spelled = [](const std::optional<Driver>& each) {
    return each ? spelling_of(*each) : std::string();
  };
  return spelled(baseline.driver) == spelled(driver);
}

Ran ran_by(const Baseline& baseline, const std::string& cell,
           const std::vector<std::string>& paths) {
  std::set<std::string> files;
  std::set<std::string> packages;
  for (const auto& path : paths) {
    auto file = find_file(baseline, cell, path);
    packages.insert(package_key(cell, path));
    if (file.empty()) continue;
    const auto package = baseline.packages.find(file);
    if (package != baseline.packages.end()) packages.insert(package->second);
    files.insert(std::move(file));
  }
  for (const auto& [file, package] : baseline.packages) {
    if (packages.count(package) != 0) files.insert(file);
  }
  // Tags and names of modules may change from one release to the next ("cp311", "abi3").
  std::set<std::string_view> projects;
  for (const auto& package : packages) {
    if (files.empty() && !package.empty()) projects.insert(project_in(package));
  }
  for (const auto& [file, package] : baseline.packages) {
    if (projects.count(project_in(package)) != 0) files.insert(file);
  }
  Ran ran;
  RanByKernel by_machine_code;
  RanByKernel by_any_code;
  for (const auto& file : files) {
    const auto ptx = baseline.by_ptx.find(file);
    add_ran(baseline, file, {Verdict::native, Verdict::compatible}, {}, by_machine_code,
            ran.machine_code);
    add_ran(baseline, file, {Verdict::native, Verdict::compatible, Verdict::jit},
            ptx == baseline.by_ptx.end() ? std::vector<ComputeCapability>() : ptx->second,
            by_any_code, ran.any_code);
  }
  ran.kernels = by_any_code.size();
  count_ran(by_machine_code, ran.machine_code);
  count_ran(by_any_code, ran.any_code);
  return ran;
}

bool is_known(const Baseline& baseline, const KernelTrouble& trouble) {
  const auto file = find_file(baseline, trouble.cell, trouble.path);
  const auto has_code = [&](const std::string& code, const std::string& rule) {
    return baseline.findings.count(finding_key(file, code, rule, trouble.device.text())) != 0;
  };
  const auto has = [&](const std::string& rule) {
    // In promises, earlier releases called all bodies that do no work empty.
    const bool was_empty = rule == name_of(Rule::promised) && trouble.verdict == Verdict::empty;
    return has_code(trouble.code, rule) || (was_empty && has_code("empty", rule));
  };
  if (file.empty()) return false;
  const auto rules = same_rules(trouble.rule);
  const bool is_promised = trouble.rule == name_of(Rule::promised);
  const bool is_alike = baseline.has_promise.value_or(is_promised) == is_promised;
  const bool is_troubled = !is_alike && baseline.troubled.count(class_key(
                                            file, trouble.code, trouble.device.text())) != 0;
  return (is_troubled || std::any_of(rules.begin(), rules.end(), has)) &&
         verdict_in(baseline, file, trouble) == trouble.verdict;
}

bool judged(const Baseline& baseline, ComputeCapability device) {
  return std::any_of(baseline.files.begin(), baseline.files.end(), [&](const auto& file) {
    return std::any_of(file.second.begin(), file.second.end(),
                       [&](const auto& kernel) { return kernel.second.count(device) != 0; });
  });
}

bool has_old_bodies(const Baseline& baseline) {
  return baseline.body_rules < kBodyRules;
}

bool worked(const Baseline& baseline, const KernelTrouble& trouble) {
  return !has_old_bodies(baseline) && ran(baseline, trouble);
}

bool ran(const Baseline& baseline, const KernelTrouble& trouble) {
  const auto file = find_file(baseline, trouble.cell, trouble.path);
  if (file.empty()) return false;
  const auto verdict = verdict_in(baseline, file, trouble);
  return verdict == Verdict::native || verdict == Verdict::compatible || verdict == Verdict::jit;
}

bool is_known(const Baseline& baseline, const FileTrouble& trouble) {
  auto file = find_file(baseline, trouble.cell, trouble.path);
  if (file.empty()) file = file_key(trouble.cell, trouble.path);
  const auto key = [&](const std::string& subject) {
    return finding_key(file, trouble.code, "", subject);
  };
  if (baseline.findings.count(key(trouble.message)) != 0) return true;
  const auto known = baseline.facts.find(key(trouble.device + '\n' + trouble.kernel));
  if (known == baseline.facts.end()) return false;
  return std::any_of(known->second.begin(), known->second.end(),
                     [&](const Facts& facts) { return has_facts(trouble.facts, facts); });
}

std::string reason_of(const Baseline& baseline) {
  return kKnown + baseline.path;
}

}  // namespace archgrid::coverage
