// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/audit.hpp>

#include "fix.hpp"

namespace archgrid::coverage {
namespace {

template <typename List, typename Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string list_verdicts(const Verdicts& verdicts) {
  std::string text;
  for (const auto verdict : verdicts) {
    if (!text.empty()) text += " or ";
    text += name_of(verdict);
  }
  return text;
}

/// The promises with only the devices that the request is about.
std::vector<Promise> narrowed(const Request& request) {
  std::vector<Promise> result;
  for (auto promise : request.promises) {
    const auto outside = [&](Device device) {
      const bool asked = request.devices.empty() || holds(request.devices, device);
      const bool served = request.arch.empty() || arch_serves(request.arch, device, promise.accept);
      return !asked || !served;
    };
    auto& devices = promise.devices;
    devices.erase(std::remove_if(devices.begin(), devices.end(), outside), devices.end());
    if (request.driver) promise.driver = request.driver;
    result.push_back(std::move(promise));
  }
  return result;
}

bool is_meant(const Ignore& ignore, const KernelRow& kernel, Device device) {
  const bool there = ignore.devices.empty() || holds(ignore.devices, device);
  return there && matches_kernel(ignore.kernel, kernel);
}

bool is_ignored(const std::vector<Ignore>& ignores, const KernelRow& kernel, Device device) {
  return std::any_of(ignores.begin(), ignores.end(),
                     [&](const Ignore& ignore) { return is_meant(ignore, kernel, device); });
}

std::vector<Device> devices_of(const std::vector<Promise>& promises) {
  std::set<Device> devices;
  for (const auto& promise : promises) {
    devices.insert(promise.devices.begin(), promise.devices.end());
  }
  return {devices.begin(), devices.end()};
}

class Auditor {
 public:
  Auditor(const Request& request, Audit& result)
      : request_(request),
        result_(result),
        promises_(narrowed(request)),
        pattern_used_(promises_.size()),
        ignore_used_(request.ignores.size()) {
    result_.cell = request.cell;
    result_.devices = devices_of(promises_);
  }

  void add(fatbin::File file) {
    note_errors(file);
    note_stripped(file);
    result_.files.push_back({std::move(file), {}});
    auto& audit = result_.files.back();
    const Coverage coverage(audit.file);
    for (const auto& kernel : coverage.kernels()) {
      audit.rows.push_back(judge_row(audit.file, coverage, kernel));
    }
  }

  void finish() {
    const auto judged = [](const FileAudit& file) { return !file.rows.empty(); };
    const bool any = std::any_of(result_.files.begin(), result_.files.end(), judged);
    if (!any && result_.errors.empty() && result_.findings.empty()) note_no_device_code();
    if (any) note_nothing_judged();
    note_unused();
  }

 private:
  Row judge_row(const fatbin::File& file, const Coverage& coverage, const KernelRow& kernel) {
    Row row;
    row.kernel = kernel;
    const auto promises = promises_of(promises_, kernel);
    for (const auto* promise : promises) pattern_used_[index_of(promise)] = true;
    for (const auto device : result_.devices) {
      Field field;
      field.judgement = coverage.judge(kernel, device, driver_of(promises, device));
      for (const auto* promise : promises) {
        if (holds(promise->devices, device)) check(file, coverage, kernel, device, *promise, field);
      }
      row.fields.push_back(std::move(field));
    }
    return row;
  }

  // A kernel that is not promised is shown all the same, judged for the driver it might meet.
  const Driver* driver_of(const std::vector<const Promise*>& promises, Device device) const {
    for (const auto* promise : promises) {
      if (holds(promise->devices, device) && promise->driver) return &*promise->driver;
    }
    return request_.driver ? &*request_.driver : nullptr;
  }

  void check(const fatbin::File& file, const Coverage& coverage, const KernelRow& kernel,
             Device device, const Promise& promise, Field& field) {
    const auto* driver = promise.driver ? &*promise.driver : nullptr;
    auto judgement = coverage.judge(kernel, device, driver);
    const auto* ignore = ignore_for(kernel, device);
    if (promise.accept.count(judgement.verdict) != 0) {
      if (field.state == State::not_promised) field.state = State::kept;
      return;
    }
    Finding finding;
    finding.code = name_of(judgement.verdict);
    finding.path = file.path;
    finding.cell = request_.cell;
    finding.kernel = kernel.name;
    finding.demangled = kernel.demangled;
    finding.device = device.text();
    finding.message =
        fmt::format("{}; promised is {}", judgement.reason, list_verdicts(promise.accept));
    finding.fix = fix_for({file, kernel, coverage.deciding_module(kernel, device, driver), device,
                           judgement.verdict, request_.toolkit});
    field.judgement = std::move(judgement);
    if (ignore != nullptr) {
      if (field.state != State::broken) field.state = State::forgiven;
      result_.forgiven.push_back({std::move(finding), ignore->reason});
    } else {
      field.state = State::broken;
      result_.findings.push_back(std::move(finding));
    }
  }

  const Ignore* ignore_for(const KernelRow& kernel, Device device) {
    const Ignore* found = nullptr;
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      const auto& ignore = request_.ignores[index];
      if (!is_meant(ignore, kernel, device)) continue;
      ignore_used_[index] = true;
      if (found == nullptr) found = &ignore;
    }
    return found;
  }

  void note_errors(const fatbin::File& file) {
    for (const auto& error : file.errors) {
      result_.errors.push_back(error_text(file.path, error));
    }
    for (const auto& image : file.images) {
      if (image.error.empty()) continue;
      result_.errors.push_back(fmt::format("{}: {} image {} of module {}: {}", file.path,
                                           fatbin::name_of(image.kind), image.arch.text(),
                                           image.module, image.error));
    }
  }

  void note_stripped(const fatbin::File& file) {
    if (file.dangling.empty()) return;
    Finding finding;
    finding.code = "stripped";
    finding.path = file.path;
    finding.cell = request_.cell;
    finding.message = fmt::format(
        "{} fat binaries are registered with the CUDA runtime but are not in "
        "the file (the first at offset {:#x})",
        file.dangling.size(), file.dangling.front());
    finding.fix =
        "ship the file as the linker wrote it: keep its section .nv_fatbin when stripping";
    result_.findings.push_back(std::move(finding));
  }

  void note_no_device_code() {
    Finding finding;
    finding.code = "no-device-code";
    finding.cell = request_.cell;
    for (const auto& file : result_.files) {
      finding.path += (finding.path.empty() ? "" : ", ") + file.file.path;
    }
    if (result_.files.empty()) {
      finding.message = "it makes no program and no shared library, so nothing keeps the promise";
      finding.fix =
          "link its static libraries into a program or a shared library that `all` makes: there "
          "what they hold is judged";
    } else {
      finding.message = "no kernel was found, so nothing keeps the promise";
      finding.fix = "audit the files that hold CUDA code, or build them with their .cu files";
    }
    result_.findings.push_back(std::move(finding));
  }

  [[nodiscard]] bool is_judged(std::size_t device) const {
    return std::any_of(result_.files.begin(), result_.files.end(), [&](const FileAudit& file) {
      return std::any_of(file.rows.begin(), file.rows.end(), [&](const Row& row) {
        return row.fields[device].state != State::not_promised;
      });
    });
  }

  // Silence would read as a promise kept.
  void note_nothing_judged() {
    for (std::size_t index = 0; index < result_.devices.size(); ++index) {
      if (is_judged(index)) continue;
      const auto device = result_.devices[index];
      const auto patterns = patterns_for(device);
      Finding finding;
      finding.code = "nothing-judged";
      finding.cell = request_.cell;
      finding.device = device.text();
      finding.message = fmt::format("no kernel found is promised there: {}",
                                    patterns.empty() ? "promises with \"kernels\" take them all"
                                                     : "none matches " + patterns);
      finding.fix = "correct the \"kernels\" patterns of the promises, or promise every kernel";
      result_.findings.push_back(std::move(finding));
    }
  }

  /// The patterns that promise kernels for a device; empty where it is promised without any.
  [[nodiscard]] std::string patterns_for(Device device) const {
    std::string patterns;
    for (const auto& promise : promises_) {
      if (!holds(promise.devices, device)) continue;
      if (promise.kernels.empty()) return {};
      patterns += fmt::format("{}\"{}\"", patterns.empty() ? "" : ", ", promise.kernels);
    }
    return patterns;
  }

  void note_unused() {
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      const auto& ignore = request_.ignores[index];
      const auto& devices = ignore.devices;
      const bool concerned =
          devices.empty() || std::any_of(devices.begin(), devices.end(), [&](Device device) {
            return holds(result_.devices, device);
          });
      if (concerned) note_use(ignore.place, ignore.kernel, ignore_used_[index], "entry");
    }
    for (std::size_t index = 0; index < promises_.size(); ++index) {
      const auto& promise = promises_[index];
      if (promise.kernels.empty() || promise.devices.empty()) continue;
      note_use(promise.place, promise.kernels, pattern_used_[index], "promise");
    }
  }

  void note_use(const std::string& place, const std::string& pattern, bool used, const char* what) {
    if (used) {
      result_.used.insert(place);
      return;
    }
    Finding finding;
    finding.code = what == std::string("promise") ? "unused-promise" : "unused-ignore";
    finding.message = fmt::format("{}: \"{}\" matches no promised kernel", place, pattern);
    finding.fix = fmt::format("take the {} out, or correct its pattern", what);
    result_.unused.emplace(place, std::move(finding));
  }

  std::size_t index_of(const Promise* promise) const {
    return static_cast<std::size_t>(promise - promises_.data());
  }

  const Request& request_;
  Audit& result_;
  std::vector<Promise> promises_;
  std::vector<bool> pattern_used_;
  std::vector<bool> ignore_used_;
};

}  // namespace

std::string error_text(const std::string& path, const fatbin::Error& error) {
  if (error.offset == 0) return fmt::format("{}: {}", path, error.message);
  return fmt::format("{}: at offset {:#x}: {}", path, error.offset, error.message);
}

Audit audit(std::vector<fatbin::File> files, const Request& request) {
  Audit result;
  // Rows keep no pointers into the list, but judges do while it grows.
  result.files.reserve(files.size());
  Auditor auditor(request, result);
  for (auto& file : files) auditor.add(std::move(file));
  auditor.finish();
  return result;
}

std::vector<Finding> unused_in(const std::vector<Audit>& audits) {
  std::map<std::string, Finding> unused;
  for (const auto& audit : audits) unused.insert(audit.unused.begin(), audit.unused.end());
  for (const auto& audit : audits) {
    for (const auto& place : audit.used) unused.erase(place);
  }
  std::vector<Finding> result;
  for (auto& [place, finding] : unused) result.push_back(std::move(finding));
  return result;
}

std::vector<Device> promised_devices(const Request& request) {
  return devices_of(narrowed(request));
}

bool arch_serves(const std::string& arch, Device device, const Verdicts& accept) {
  const auto dash = arch.find('-');
  const auto parsed = parse_arch(std::string_view(arch).substr(0, dash));
  if (!parsed) return false;
  const std::string_view kind =
      dash == std::string::npos ? std::string_view() : std::string_view(arch).substr(dash + 1);
  const auto loads = kind == "virtual" ? Loads::no : sass_loads(*parsed, device);
  if (loads == Loads::yes) {
    const auto verdict = parsed->number == device.number() ? Verdict::native : Verdict::compatible;
    return accept.count(verdict) != 0;
  }
  if (loads == Loads::unsure && accept.count(Verdict::unknown) != 0) return true;
  return kind != "real" && ptx_reaches(*parsed, device) && accept.count(Verdict::jit) != 0;
}

std::vector<Served> serve(const std::vector<fatbin::File>& files, Device device,
                          const Request& request) {
  const auto& promises = request.promises;
  const bool known = std::any_of(promises.begin(), promises.end(), [&](const Promise& promise) {
    return holds(promise.devices, device);
  });
  const auto* driver = request.driver ? &*request.driver : nullptr;
  std::vector<Served> result;
  for (const auto& file : files) {
    const Coverage coverage(file);
    for (const auto& kernel : coverage.kernels()) {
      Served served{
          file.path, kernel.name, kernel.demangled, coverage.judge(kernel, device, driver), true,
          false,     ""};
      const auto verdict = served.judgement.verdict;
      for (const auto* promise : promises_of(promises, kernel)) {
        if (!holds(promise->devices, device)) continue;
        served.accepted = served.accepted && promise->accept.count(verdict) != 0;
      }
      if (!known) served.accepted = request.unpromised.count(verdict) != 0;
      served.forgiven = !served.accepted && is_ignored(request.ignores, kernel, device);
      if (!served.accepted && !served.forgiven) {
        served.fix = fix_for({file, kernel, coverage.deciding_module(kernel, device, driver),
                              device, verdict, request.toolkit});
      }
      result.push_back(std::move(served));
    }
  }
  return result;
}

}  // namespace archgrid::coverage
