// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/coverage/newer.hpp>
#include <archgrid/parallel.hpp>
#include <array>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>

#include "breaches.hpp"
#include "budget.hpp"
#include "driver.hpp"
#include "holds.hpp"
#include "ignore.hpp"
#include "joined.hpp"
#include "judge.hpp"
#include "package.hpp"
#include "running.hpp"
#include "variants.hpp"

namespace archgrid::coverage {
namespace {

/// Returns the promises, restricted to the devices of the request.
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

std::vector<Device> devices_of(const std::vector<Promise>& promises) {
  std::set<Device> devices;
  for (const auto& promise : promises) {
    devices.insert(promise.devices.begin(), promise.devices.end());
  }
  return {devices.begin(), devices.end()};
}

/// Does a part of the work on one file. If memory runs out, the error names that file, without
/// which there is no audit.
template <typename Part>
void work_on(const fatbin::File& file, const Part& part) {
  try {
    part();
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(fatbin::printable(file.path) +
                             ": there is not enough memory to judge it: audit fewer files at once");
  }
}

/// Reports whether a name says that its kernel is empty by design, or is one of Thrust or CUB,
/// which instantiate kernels that nobody needs.
bool is_empty_by_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {
      "empty", "noop", "no_op", "nothing", "dummy", "idle", "warmup", "warm_up", "null_kernel"};
  if (name.starts_with("_ZN6thrust") || name.starts_with("_ZN3cub")) return true;
  std::string small(name);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

/// Reports whether a module registered with the runtime contains variables but no kernels.
bool is_of_variables(const fatbin::Module& module,
                     const std::vector<const fatbin::Image*>& images) {
  if (!module.registered || module.linked || module.relocatable) return false;
  // Unread PTX has the kernels of the machine code beside it.
  const auto has_none = [](const fatbin::Image* image) {
    return image->kernels.empty() && image->error.empty();
  };
  return std::all_of(images.begin(), images.end(), has_none) &&
         std::any_of(images.begin(), images.end(),
                     [](const fatbin::Image* image) { return image->variables; });
}

bool may_serve(const std::vector<const fatbin::Image*>& images, Device device) {
  return std::any_of(images.begin(), images.end(), [&](const fatbin::Image* image) {
    if (image->kind == fatbin::Kind::sass) return sass_loads(image->arch, device) != Loads::no;
    return ptx_reaches(image->arch, device);
  });
}

using KernelNames = std::set<std::string_view>;

/// The kernels of a file that do no work in any of their bodies. A kernel that checks its input is
/// intended; one compiled only for the wrong arch is not.
struct Idle {
  KernelNames reporting;  ///< only print, assert or trap
  KernelNames others;     ///< some body is empty, or writes only shared memory
};

Idle idle_kernels(const fatbin::File& file) {
  Idle idle;
  const auto superseded = fatbin::superseded_ptx(file.images);
  const auto visit = [&](const auto& with) {
    for (std::size_t index = 0; index < file.images.size(); ++index) {
      if (superseded[index]) continue;
      for (const auto& kernel : file.images[index].kernels) with(kernel);
    }
  };
  visit([&](const fatbin::Kernel& kernel) {
    if (!fatbin::is_idle(kernel.body)) return;
    const bool reports = fatbin::reports(kernel.body) || kernel.body == fatbin::Body::trap;
    (reports ? idle.reporting : idle.others).insert(kernel.name);
  });
  if (idle.reporting.empty() && idle.others.empty()) return idle;
  visit([&](const fatbin::Kernel& kernel) {
    if (fatbin::is_idle(kernel.body)) return;
    idle.reporting.erase(kernel.name);
    idle.others.erase(kernel.name);
  });
  for (const auto name : idle.others) idle.reporting.erase(name);
  std::erase_if(idle.others, is_empty_by_name);
  return idle;
}

constexpr const char* kDriverTooOld = "driver-too-old";

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

  void run(std::vector<fatbin::File> files) {
    result_.errors = errors_of(files);
    for (auto& file : files) {
      note_stripped(file);
      note_remarks(file);
      result_.files.push_back({std::move(file), {}});
    }
    note_not_device_linked();
    resolve_across_files();
    const auto& audits = result_.files;  // judges keep references to its files
    std::vector<std::unique_ptr<ImageSelector>> selectors(audits.size());
    parallel_for(audits.size(), [&](std::size_t index, std::size_t) {
      const auto& file = audits[index].file;
      const auto found = request_.elsewhere.find(file.path);
      const auto* elsewhere = found == request_.elsewhere.end() ? nullptr : &found->second;
      work_on(file, [&] { selectors[index] = std::make_unique<ImageSelector>(file, elsewhere); });
    });
    find_idle_kernels();
    if (request_.like_other_kernels) {
      judge_as_package(selectors);
    } else {
      judge_promises(selectors);
    }
    finish();
  }

 private:
  void judge_promises(const std::vector<std::unique_ptr<ImageSelector>>& selectors) {
    Variants variants(result_.files, selectors, promises_);
    for (std::size_t index = 0; index < result_.files.size(); ++index) {
      auto& audit = result_.files[index];
      work_on(audit.file, [&] {
        auto judged =
            coverage::judge(audit.file, *selectors[index], promises_, result_.devices, request_);
        if (is_one_of_a_cell(audit.file)) {
          note_misnamed(audit.file, variants.misnamed_for(index));
          auto facts = variants.settle(index, result_.devices, judged);
          if (!facts.empty()) note_remark(audit.file, "picked-by-host", std::move(facts));
        }
        add_judged(audit, *selectors[index], std::move(judged));
      });
    }
  }

  void judge_as_package(const std::vector<std::unique_ptr<ImageSelector>>& selectors) {
    judge_package(selectors, request_, result_);
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      ignore_used_[index] = result_.used.count(request_.ignores[index].place) != 0;
    }
    for (std::size_t index = 0; index < result_.files.size(); ++index) {
      const auto& audit = result_.files[index];
      if (request_.driver && !result_.devices.empty())
        note_old_drivers(audit.file, package_promise());
      note_picked(audit);
      note_idle_kernels(audit);
      if (request_.devices.empty()) note_newer(audit.file, *selectors[index]);
    }
    excuse_variants();
  }

  /// Drops driver-too-old for files whose kernels are in another file that the driver loads: host
  /// code picks among variants.
  void excuse_variants() {
    std::set<std::string_view> too_new;
    for (const auto& finding : result_.findings) {
      if (finding.code == kDriverTooOld) too_new.insert(finding.path);
    }
    if (too_new.empty()) return;
    std::set<std::string_view> loaded;
    for (const auto& audit : result_.files) {
      if (too_new.count(audit.file.path) != 0) continue;
      for (const auto& row : audit.rows) loaded.insert(row.kernel.name.str());
    }
    std::set<std::string> excused;
    for (const auto& audit : result_.files) {
      if (too_new.count(audit.file.path) == 0) continue;
      const auto count = std::count_if(audit.rows.begin(), audit.rows.end(), [&](const Row& row) {
        return loaded.count(row.kernel.name.str()) != 0;
      });
      if (static_cast<std::size_t>(count) * 2 <= audit.rows.size()) continue;
      excused.insert(audit.file.path);
      note_remark(audit.file, "driver-may-be-too-old",
                  {{"driver", request_.driver->name}, {"variant", "yes"}});
    }
    std::erase_if(result_.findings, [&](const Finding& finding) {
      return finding.code == kDriverTooOld && excused.count(finding.path) != 0;
    });
  }

  /// Returns the promise for a package that a driver of the request implies.
  [[nodiscard]] std::vector<Promise> package_promise() const {
    Promise promise;
    promise.devices = result_.devices;
    promise.driver = request_.driver;
    return {promise};
  }

  // Files of one cell are built together. For other files it is unknown whether one program loads
  // them.
  [[nodiscard]] bool is_one_of_a_cell(const fatbin::File& file) const {
    return !request_.cell.empty() && may_be_variant(file);
  }

  void add_judged(FileAudit& audit, const ImageSelector& selector, Judged judged) {
    audit.rows = std::move(judged.rows);
    set_apart_suspects(audit, selector, request_, judged.breaches, result_);
    const Told told{audit, selector, result_.devices, promises_, request_};
    append(findings_of(judged.breaches, told), result_.findings);
    append(forgiven_of(judged.forgiven, told), result_.forgiven);
    add(judged.promise_used, pattern_used_);
    add(judged.ignore_used, ignore_used_);
    note_old_drivers(audit.file, used_promises(judged.promise_used));
    note_replaced(audit, promises_, judged.promise_used);
    note_picked(audit);
    note_idle_kernels(audit);
    note_unserved_variables(audit.file);
  }

  [[nodiscard]] std::vector<Promise> used_promises(const std::vector<bool>& used) const {
    std::vector<Promise> result;
    for (std::size_t index = 0; index < promises_.size(); ++index) {
      if (used[index]) result.push_back(promises_[index]);
    }
    return result;
  }

  template <typename Found>
  static void append(std::vector<Found> found, std::vector<Found>& all) {
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }

  static void add(const std::vector<bool>& used, std::vector<bool>& all) {
    for (std::size_t index = 0; index < all.size(); ++index) all[index] = all[index] || used[index];
  }

  void note_newer(const fatbin::File& file, const ImageSelector& selector) {
    auto newer = newer_gpus(file, selector);
    // The table does not know which GPUs a driver of today may learn to know.
    if (newer && newer->kernels > 0 && request_.driver) return;
    if (newer) result_.remarks.push_back({"newer-gpus", file.path, {}, std::move(newer)});
  }

  // A promise with a pattern replaces those without for its kernels, even on devices that it does
  // not name: its kernels are no longer promised there.
  void note_replaced(const FileAudit& audit, const std::vector<Promise>& promises,
                     const std::vector<bool>& used) {
    std::vector<Promise> general;
    std::copy_if(promises.begin(), promises.end(), std::back_inserter(general),
                 [](const Promise& promise) { return promise.kernels.empty(); });
    const auto named = devices_of(general);
    std::set<Device> left;
    std::size_t kernels = 0;
    for (const auto& row : audit.rows) {
      const auto before = kernels;
      for (std::size_t index = 0; index < result_.devices.size(); ++index) {
        const auto device = result_.devices[index];
        if (row.fields[index].state != State::not_promised || !holds(named, device)) continue;
        left.insert(device);
        kernels = before + 1;
      }
    }
    if (kernels == 0) return;
    note_remark(audit.file, "promised-on-fewer-devices",
                {{"kernels", std::to_string(kernels)},
                 {"of", std::to_string(audit.rows.size())},
                 {"gpus", list_devices(left)},
                 {"places", places_of_patterns(promises, used)}});
  }

  static std::string places_of_patterns(const std::vector<Promise>& promises,
                                        const std::vector<bool>& used) {
    std::string places;
    for (std::size_t index = 0; index < promises.size(); ++index) {
      const auto& promise = promises[index];
      if (promise.kernels.empty() || !used[index]) continue;
      places += (places.empty() ? "" : ", ") + promise.place + " (\"" + promise.kernels + "\")";
    }
    return places;
  }

  /// Checks the drivers of promises that apply to a kernel of the file: they have to load it.
  void note_old_drivers(const fatbin::File& file, const std::vector<Promise>& promises) {
    std::map<std::string, std::pair<const Driver*, std::set<Device>>> devices_of;
    for (const auto& promise : promises) {
      if (!promise.driver) continue;
      auto& [driver, devices] = devices_of[promise.driver->name];
      driver = &*promise.driver;
      devices.insert(promise.devices.begin(), promise.devices.end());
    }
    for (const auto& [name, promised] : devices_of) {
      const auto found = too_new_for(*promised.first, promised.second, file);
      if (found.toolkit != nullptr) note_old_driver(file, *promised.first, found);
      if (found.registered) continue;
      const auto undecoded = undecoded_by(*promised.first, promised.second, file);
      if (!undecoded.devices.empty()) note_undecoded(file, *promised.first, undecoded);
    }
  }

  void note_undecoded(const fatbin::File& file, const Driver& driver, const Undecoded& found) {
    note_driver(file, found.registered, found.devices,
                {{"compression", "zstd"},
                 {"gpus", list_devices(found.devices)},
                 {"needs", std::to_string(first_driver_for_zstd())},
                 {"driver", driver.name}});
  }

  // Programs built with a newer major release of CUDA do not start. It is not documented whether
  // the driver loads machine code that host code passes to it.
  void note_old_driver(const fatbin::File& file, const Driver& driver, const TooNew& found) {
    note_driver(file, found.registered, found.devices,
                {{"toolkit", found.toolkit->cuda.text()},
                 {"gpus", list_devices(found.devices)},
                 {"needs", std::to_string(found.toolkit->min_driver)},
                 {"driver", driver.name},
                 {"driver-cuda", std::to_string(driver.cuda.major)}});
  }

  void note_driver(const fatbin::File& file, bool fails, const std::set<Device>& devices,
                   Facts facts) {
    if (!fails) {
      note_remark(file, "driver-may-be-too-old", std::move(facts));
      return;
    }
    if (request_.like_other_kernels) facts["asked"] = "yes";
    find_in(file, kDriverTooOld, std::move(facts));
    result_.findings.back().devices.assign(devices.begin(), devices.end());
  }

  void finish() {
    const auto judged = [](const FileAudit& file) { return !file.rows.empty(); };
    const bool any = std::any_of(result_.files.begin(), result_.files.end(), judged);
    const bool is_question = request_.like_other_kernels && request_.devices.empty();
    if (!any && result_.errors.empty() && result_.findings.empty()) note_no_device_code();
    if (any && is_question) note_nothing_in_common();
    if (is_question) move_nothing_to_judge();
    if (any && !is_question) note_nothing_judged();
    if (any) note_unknown_gpus();
    judge_budgets(request_, ignore_used_, result_);
    note_unused();
  }

  void note_remark(const fatbin::File& file, const char* code, Facts facts = {}) {
    result_.remarks.push_back({code, file.path, std::move(facts)});
  }

  void note_remarks(const fatbin::File& file) {
    if (!file.loaders.empty()) {
      note_remark(file, "loads-at-run-time", {{"loaders", joined(file.loaders)}});
    }
    if (file.host_lto) note_remark(file, "host-lto");
    note_other_toolkit(file);
    note_images(file, "debug-code", [](const auto& image) { return image.debug; });
    note_images(file, "obfuscated", [](const auto& image) { return image.obfuscated; });
  }

  template <typename Such>
  void note_images(const fatbin::File& file, const char* code, const Such& is_such) {
    const auto count = std::count_if(file.images.begin(), file.images.end(), is_such);
    if (count == 0) return;
    note_remark(file, code,
                {{"images", std::to_string(count)}, {"of", std::to_string(file.images.size())}});
  }

  /// Reports whether ignores cover the kernel on every promised device; false without such devices.
  [[nodiscard]] bool is_forgiven(const KernelRow& kernel) const {
    std::set<Device> left(result_.devices.begin(), result_.devices.end());
    if (left.empty()) return false;
    for (const auto& ignore : request_.ignores) {
      if (!matches_kernel(ignore.kernel, kernel)) continue;
      std::erase_if(left, [&](Device device) { return is_there(ignore, device); });
    }
    return left.empty();
  }

  /// Notes modules with only variables that have no code for a promised device: they have no kernel
  /// that would show it.
  void note_unserved_variables(const fatbin::File& file) {
    std::vector<std::vector<const fatbin::Image*>> images(file.modules.size());
    for (const auto& image : file.images) images[image.module].push_back(&image);
    std::set<Device> unserved;
    std::set<std::string> units;
    std::size_t modules = 0;
    for (const auto& module : file.modules) {
      if (!is_of_variables(module, images[module.index])) continue;
      bool lacks = false;
      for (const auto device : result_.devices) {
        if (may_serve(images[module.index], device)) continue;
        unserved.insert(device);
        lacks = true;
      }
      if (!lacks) continue;
      ++modules;
      if (!module.unit.empty()) units.insert(module.unit);
    }
    if (modules == 0) return;
    note_remark(file, "unserved-variables",
                {{"modules", std::to_string(modules)},
                 {"of", std::to_string(file.modules.size())},
                 {"gpus", list_devices(unserved)},
                 {"unit", units.empty() ? std::string() : *units.begin()}});
  }

  /// Drops kernels that ignores cover, and those that are findings because they work elsewhere.
  void drop_explained(const FileAudit& audit, KernelNames& names) const {
    const auto elsewhere = request_.elsewhere.find(audit.file.path);
    for (const auto& row : audit.rows) {
      if (names.empty()) return;
      const std::string& name = row.kernel.name.str();
      const auto found = names.find(name);
      if (found == names.end()) continue;
      const bool works =
          elsewhere != request_.elsewhere.end() &&
          (elsewhere->second.surely.count(name) != 0 || elsewhere->second.maybe.count(name) != 0);
      if (works || is_forgiven(row.kernel)) names.erase(found);
    }
  }

  /// Returns the first names, shortened and without duplicates.
  static std::vector<std::string> first_of(const KernelNames& names, std::size_t most) {
    constexpr std::size_t kLongestName = 40;
    std::vector<std::string> first;
    for (auto name = names.begin(); name != names.end() && first.size() < most; ++name) {
      const auto plain = without_signature(fatbin::demangle(std::string(*name)));
      auto text = fatbin::shortened(without_namespaces(plain), kLongestName);
      if (std::find(first.begin(), first.end(), text) == first.end())
        first.push_back(std::move(text));
    }
    return first;
  }

  static Facts facts_on(const KernelNames& names, std::size_t most) {
    const auto first = first_of(names, most);
    return {{"kernels", std::to_string(names.size())},
            {"first", joined(first)},
            {"named", std::to_string(first.size())}};
  }

  // No other body shows that the kernels should work, so the effect may be intended.
  void note_idle_kernels(const FileAudit& audit) {
    auto& idle = idle_[static_cast<std::size_t>(&audit - result_.files.data())];
    drop_explained(audit, idle.reporting);
    drop_explained(audit, idle.others);
    if (!idle.reporting.empty()) {
      note_remark(audit.file, "only-reports", facts_on(idle.reporting, 1));
    }
    if (!idle.others.empty()) {
      auto facts = facts_on(idle.others, 3);
      add_working_file(idle.others, facts);
      note_remark(audit.file, "does-no-work", std::move(facts));
    }
  }

  /// Names a file in which one of the kernels works. A name in another file may mean other code.
  void add_working_file(const KernelNames& names, Facts& facts) const {
    for (const auto name : names) {
      const auto found = working_files_.find(name);
      if (found == working_files_.end()) continue;
      facts["works"] = first_of({name}, 1).front();
      facts["works-in"] = fatbin::printable(found->second->path);
      return;
    }
  }

  /// Finds the kernels that do no work in some file, and for each kernel a file where it works.
  void find_idle_kernels() {
    idle_.resize(result_.files.size());
    KernelNames all;
    for (std::size_t index = 0; index < idle_.size(); ++index) {
      idle_[index] = idle_kernels(result_.files[index].file);
      all.insert(idle_[index].others.begin(), idle_[index].others.end());
    }
    if (all.empty() || idle_.size() == 1) return;
    for (const auto& audit : result_.files) {
      for (const auto& image : audit.file.images) {
        for (const auto& kernel : image.kernels) {
          const bool works = kernel.body == fatbin::Body::code && all.count(kernel.name) != 0;
          if (works) working_files_.emplace(kernel.name, &audit.file);
        }
      }
    }
  }

  // Promises and budgets of the matrix may differ by toolkit.
  void note_other_toolkit(const fatbin::File& file) {
    if (!request_.toolkit) return;
    std::set<std::string> made_with;
    for (const auto& image : file.images) {
      if (!image.toolkit.empty()) made_with.insert(image.toolkit);
    }
    if (made_with.empty() || made_with.count(request_.toolkit->text()) != 0) return;
    note_remark(file, "other-toolkit",
                {{"toolkit", request_.toolkit->text()}, {"made-with", joined(made_with)}});
  }

  void note_picked(const FileAudit& audit) {
    const auto picked = std::count_if(audit.rows.begin(), audit.rows.end(),
                                      [](const Row& row) { return row.kernel.picked_by_host; });
    if (picked == 0 || audit.file.modules.empty() || audit.file.modules[0].section.empty()) return;
    const auto several = std::count_if(audit.rows.begin(), audit.rows.end(),
                                       [](const Row& row) { return row.kernel.programs > 1; });
    note_remark(audit.file, "picked-by-host",
                {{"kernels", std::to_string(picked)},
                 {"of", std::to_string(audit.rows.size())},
                 {"several", std::to_string(several)}});
  }

  /// Turns "nothing to judge" into remarks, as it breaks no promise and answers no question.
  void move_nothing_to_judge() {
    auto& findings = result_.findings;
    const auto is_nothing = [](const Finding& finding) {
      return finding.code == "no-device-code" || finding.code == "nothing-judged";
    };
    for (const auto& finding : findings) {
      if (!is_nothing(finding)) continue;
      result_.remarks.push_back({finding.code, finding.path, finding.facts});
    }
    std::erase_if(findings, is_nothing);
  }

  // Without a common device there is no standard for kernels.
  void note_nothing_in_common() {
    if (!result_.devices.empty()) return;
    Finding finding;
    finding.code = "nothing-judged";
    finding.cell = request_.cell;
    finding.facts = {{"accept", list_verdicts(*request_.like_other_kernels)}};
    result_.findings.push_back(std::move(finding));
  }

  /// Adds a finding about a file as a whole.
  void find_in(const fatbin::File& file, std::string code, Facts facts) {
    Finding finding;
    finding.code = std::move(code);
    finding.path = file.path;
    finding.cell = request_.cell;
    finding.facts = std::move(facts);
    result_.findings.push_back(std::move(finding));
  }

  // Host code that picks files by name loads this file on that GPU.
  void note_misnamed(const fatbin::File& file, std::optional<Device> named) {
    if (!named || !holds(result_.devices, *named)) return;
    std::set<std::string> archs;
    for (const auto& image : file.images) archs.insert(image.arch.text());
    find_in(file, "misnamed",
            {{"named", std::to_string(named->number())}, {"archs", joined(archs)}});
  }

  void note_stripped(const fatbin::File& file) {
    if (file.dangling.empty()) return;
    find_in(file, "stripped",
            {{"fat-binaries", std::to_string(file.dangling.size())},
             {"offset", std::to_string(file.dangling.front())}});
  }

  /// Finds symbols that no audited file defines: a library may import from another one.
  void note_not_device_linked() {
    std::set<std::string> linked;
    for (const auto& audit : result_.files) {
      linked.insert(audit.file.linked.begin(), audit.file.linked.end());
    }
    for (const auto& audit : result_.files) {
      std::set<std::string> units;
      for (const auto& symbol : audit.file.unlinked) {
        if (linked.count(symbol) == 0) units.insert(fatbin::unit_of_unlinked(symbol));
      }
      if (!units.empty()) note_not_device_linked(audit.file, units);
    }
  }

  // A program may link images of several files at run time.
  void resolve_across_files() {
    const auto lacks = [](const fatbin::Image& image) { return !image.undefined.empty(); };
    std::set<std::string> defined;
    bool any = false;
    for (const auto& audit : result_.files) {
      const auto& images = audit.file.images;
      any = any || std::any_of(images.begin(), images.end(), lacks);
      for (const auto& image : images) {
        if (audit.file.modules[image.module].registered) continue;
        defined.insert(image.defined.begin(), image.defined.end());
      }
    }
    if (!any || defined.empty()) return;
    for (auto& audit : result_.files) {
      for (auto& image : audit.file.images) {
        if (audit.file.modules[image.module].registered) continue;
        std::erase_if(image.undefined,
                      [&](const std::string& name) { return defined.count(name) != 0; });
      }
    }
  }

  void note_not_device_linked(const fatbin::File& file, const std::set<std::string>& units) {
    constexpr std::size_t kMostNamed = 3;
    const auto named = std::min(units.size(), kMostNamed);
    const auto end = std::next(units.begin(), static_cast<std::ptrdiff_t>(named));
    find_in(file, "not-device-linked",
            {{"units", joined(std::vector<std::string>(units.begin(), end))},
             {"more", std::to_string(units.size() - named)}});
  }

  void note_no_device_code() {
    Finding finding;
    finding.code = "no-device-code";
    finding.cell = request_.cell;
    constexpr std::size_t kMaxNamed = 3;
    std::vector<std::string> paths;  // of files, and for members, of archives
    for (const auto& file : result_.files) {
      auto path = file.file.path.substr(0, file.file.path.find('!'));
      const auto named = std::find(paths.begin(), paths.end(), path);
      if (named == paths.end()) paths.push_back(std::move(path));
    }
    const auto more = paths.size() > kMaxNamed ? paths.size() - 1 : 0;
    if (more > 0) paths.resize(1);
    finding.path = joined(paths);
    if (more > 0) finding.path += " and " + std::to_string(more) + " more";
    finding.facts = {{"files", std::to_string(result_.files.size())}};
    for (const auto& audit : result_.files) {
      if (const auto* compiler = run_time_compiler(audit.file)) {
        finding.facts.emplace("compiler", *compiler);  // of the first compiler found
        const auto& path = audit.file.path;
        finding.facts.emplace("compiles",
                              fatbin::printable(path.substr(path.find_last_of("/!") + 1)));
      }
    }
    if (request_.like_other_kernels) finding.facts["asked"] = "yes";
    result_.findings.push_back(std::move(finding));
  }

  [[nodiscard]] bool has_finding(Device device) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(),
                       [&](const Finding& finding) { return finding.device == device.text(); });
  }

  [[nodiscard]] bool is_judged(std::size_t device) const {
    return std::any_of(result_.files.begin(), result_.files.end(), [&](const FileAudit& file) {
      return std::any_of(file.rows.begin(), file.rows.end(), [&](const Row& row) {
        return row.fields[device].state != State::not_promised;
      });
    });
  }

  // A silent result would read as a kept promise.
  void note_nothing_judged() {
    for (std::size_t index = 0; index < result_.devices.size(); ++index) {
      const auto device = result_.devices[index];
      if (is_judged(index) || has_finding(device)) continue;
      const auto patterns = patterns_for(device);
      Finding finding;
      finding.code = "nothing-judged";
      finding.cell = request_.cell;
      finding.device = device.text();
      finding.facts = {{"patterns", patterns}};
      result_.findings.push_back(std::move(finding));
    }
  }

  /// Returns the promises for kernels of the files; without promises, the devices of the request.
  [[nodiscard]] std::vector<Promise> concerned() const {
    std::vector<Promise> result;
    for (std::size_t index = 0; index < promises_.size(); ++index) {
      if (pattern_used_[index]) result.push_back(promises_[index]);
    }
    if (!request_.like_other_kernels || request_.devices.empty()) return result;
    Promise asked;
    asked.devices = result_.devices;
    asked.driver = request_.driver;
    result.push_back(std::move(asked));
    return result;
  }

  // Independent of kernels, so reported once.
  void note_unknown_gpus() {
    std::set<std::pair<Device, std::string>> told;
    for (const auto& promise : concerned()) {
      if (!promise.driver) continue;
      for (const auto device : promise.devices) {
        const auto misfit = misfit_of(*promise.driver, device);
        if (misfit && told.emplace(device, promise.driver->name).second) {
          note_unknown_gpu(promise.place, device, *misfit);
        }
      }
    }
  }

  /// Returns the branch that supports the device and, if the driver is too old, loads each file.
  [[nodiscard]] int driver_for(Device device, const Misfit& misfit) const {
    if (misfit.fit != DriverFit::too_old) return misfit.branch;
    int branch = misfit.branch;
    for (const auto& finding : result_.findings) {
      if (finding.code != kDriverTooOld || !holds(finding.devices, device)) continue;
      branch = std::max(branch, std::stoi(finding.facts.at("needs")));
    }
    return branch;
  }

  void note_unknown_gpu(const std::string& place, Device device, const Misfit& misfit) {
    Finding finding;
    finding.code =
        misfit.fit == DriverFit::too_old ? "driver-too-old-for-gpu" : "driver-too-new-for-gpu";
    finding.cell = request_.cell;
    finding.device = device.text();
    finding.facts = {{"place", place},
                     {"driver", misfit.driver},
                     {"branch", std::to_string(misfit.branch)},
                     {"install", std::to_string(driver_for(device, misfit))}};
    if (request_.like_other_kernels) finding.facts["asked"] = "yes";
    result_.findings.push_back(std::move(finding));
  }

  /// Returns the patterns that promise kernels for a device; empty if a promise has no pattern.
  [[nodiscard]] std::string patterns_for(Device device) const {
    std::string patterns;
    for (const auto& promise : promises_) {
      if (!holds(promise.devices, device)) continue;
      if (promise.kernels.empty()) return {};
      patterns += (patterns.empty() ? "\"" : ", \"") + promise.kernels + '"';
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

  [[nodiscard]] bool matches_any(const std::string& pattern) const {
    return std::any_of(result_.files.begin(), result_.files.end(), [&](const FileAudit& file) {
      return std::any_of(file.rows.begin(), file.rows.end(),
                         [&](const Row& row) { return matches_kernel(pattern, row.kernel); });
    });
  }

  void note_use(const std::string& place, const std::string& pattern, bool used, const char* what) {
    if (used) {
      result_.used.insert(place);
      return;
    }
    Finding finding;
    finding.code = what == std::string("promise") ? "unused-promise" : "unused-ignore";
    finding.facts = {{"place", place}, {"pattern", pattern}};
    const auto wide = "*" + pattern + "*";
    if (!matches_any(pattern) && matches_any(wide)) finding.facts["wide"] = wide;
    result_.unused.emplace(place, std::move(finding));
  }

  const Request& request_;
  Audit& result_;
  std::vector<Promise> promises_;
  std::vector<bool> pattern_used_;
  std::vector<bool> ignore_used_;
  std::vector<Idle> idle_;  ///< by file
  std::map<std::string_view, const fatbin::File*> working_files_;
};

}  // namespace

Audit audit(std::vector<fatbin::File> files, const Request& request) {
  Audit result;
  Auditor(request, result).run(std::move(files));
  return result;
}

void note_without_code(const std::vector<std::string>& paths, Audit& audit) {
  const auto has_code = [](const FileAudit& file) { return !file.rows.empty(); };
  // If no file has any, that is a finding.
  if (std::none_of(audit.files.begin(), audit.files.end(), has_code)) return;
  for (const auto& judged : audit.files) {
    const auto& file = judged.file;
    const bool explained = !file.dangling.empty() || file.host_lto || !errors_of(file).empty();
    if (has_code(judged) || explained || !holds(paths, file.path)) continue;
    audit.remarks.push_back({"without-device-code", file.path});
  }
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

}  // namespace archgrid::coverage
