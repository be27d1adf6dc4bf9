// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "driver.hpp"
#include "file_judge.hpp"
#include "file_names.hpp"
#include "holds.hpp"
#include "kernel_names.hpp"
#include "running.hpp"

namespace archgrid::coverage {
namespace {

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

using Places = std::unordered_map<std::string_view, std::vector<Place>>;  ///< by kernel

class PackageJudge {
 public:
  PackageJudge(const std::vector<std::unique_ptr<ImageSelector>>& selectors, const Request& request,
               Audit& result)
      : selectors_(selectors), request_(request), result_(result) {}

  void run() {
    find_shipped();
    find_answers();
    for (std::size_t index = 0; index < selectors_.size(); ++index) judge(index);
    if (request_.devices.empty()) find_lost();
    if (!request_.devices.empty()) keep_asked();
    for (const auto& [package, claim] : request_.claims) {
      if (!claim.is_unread) continue;
      result_.remarks.push_back({"metadata-not-read", package, {{"source", claim.source}}});
    }
  }

 private:
  void find_shipped() {
    std::set<Device> devices;
    for (std::size_t index = 0; index < selectors_.size(); ++index) {
      auto served = serve_devices(result_.files[index].file, *selectors_[index], request_);
      for (auto& on : served) {
        if (is_without_driver(on.device)) on.ships = false;
        const bool is_out = is_left_out(index, on.device) || is_in_no_product(on.device);
        if (!is_asked(on.device) && is_out) on.ships = on.has_failure = false;
        if (on.ships || on.has_failure || is_asked(on.device) || is_claimed(index, on.device)) {
          devices.insert(on.device);
        }
      }
      served_.push_back(std::move(served));
    }
    result_.devices.assign(devices.begin(), devices.end());
    find_places();
    find_shipped_by_most();
  }

  /// Reports whether the request names the device. Others are judged only for evidence.
  [[nodiscard]] bool is_asked(Device device) const { return holds(request_.devices, device); }

  /// Removes the devices that the request does not name.
  void keep_asked() {
    std::vector<Device> kept;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      if (!is_asked(result_.devices[at])) continue;
      kept.push_back(result_.devices[at]);
      places.push_back(at);
    }
    for (auto& audit : result_.files) {
      for (auto& row : audit.rows) {
        std::vector<Field> fields;
        for (const auto at : places) fields.push_back(std::move(row.fields[at]));
        row.fields = std::move(fields);
      }
    }
    result_.devices = std::move(kept);
    std::erase_if(result_.unjudged, [&](Device device) { return !is_asked(device); });
  }

  [[nodiscard]] const Claim* claim_of(std::size_t index) const {
    return find_claim(request_.claims, result_.files[index].file.path);
  }

  /// Reports whether the metadata of the file's package exclude the device.
  [[nodiscard]] bool is_left_out(std::size_t index, Device device) const {
    const auto* claim = claim_of(index);
    return claim != nullptr && leaves_out(*claim, device);
  }

  /// Reports whether no product with the device is known, and no file has code for just it.
  [[nodiscard]] bool is_in_no_product(Device device) const {
    const auto* gpu = table().find_architecture(device.number());
    if (gpu == nullptr || !gpu->products.empty()) return false;
    return std::none_of(result_.files.begin(), result_.files.end(), [&](const FileAudit& audit) {
      const auto& images = audit.file.images;
      return std::any_of(images.begin(), images.end(), [&](const fatbin::Image& image) {
        return image.arch.number == device.number();
      });
    });
  }

  /// Reports whether the metadata of the file's package name the device.
  [[nodiscard]] bool is_claimed(std::size_t index, Device device) const {
    const auto* claim = claim_of(index);
    return claim != nullptr && !selectors_[index]->kernels().empty() &&
           !is_without_driver(device) && named_by(*claim).count(device) != 0;
  }

  /// Returns the package of a file; empty for files in no archive, which form one package.
  [[nodiscard]] std::string_view package_of(std::size_t index) const {
    return coverage::package_of(result_.files[index].file.path);
  }

  /// Finds the files of each kernel. A module with nameless kernels counts as one kernel.
  void find_places() {
    for (std::size_t index = 0; index < selectors_.size(); ++index) {
      for (const auto* row : launched_rows(result_.files[index].file, *selectors_[index])) {
        const auto& name = row->name.empty() ? row->demangled.str() : row->name.str();
        places_[package_of(index)][name].push_back({index, row});
      }
    }
  }

  /// Finds the devices that each package ships: most of its kernels are in files that ship them.
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

  /// Answers for each GPU of the request, by the worst package. If several files of a package have
  /// a kernel, the best counts: host code picks the file.
  void find_answers() {
    const auto packages = packages_to_answer_for();
    for (const auto device : request_.devices) {
      auto worst = packages.empty() ? Answer::unknown : Answer::runs;
      for (const auto& package : packages) {
        const auto answer = answer_for(package, device);
        result_.package_answers[std::string(package)][device] = answer;
        worst = std::max(worst, answer);
      }
      result_.answers[device] = worst;
    }
  }

  /// Returns the packages with kernels, or all if there are none.
  [[nodiscard]] std::set<std::string_view> packages_to_answer_for() const {
    std::set<std::string_view> packages;
    for (const auto& [package, places] : places_) packages.insert(package);
    for (std::size_t index = 0; places_.empty() && index < selectors_.size(); ++index) {
      packages.insert(package_of(index));
    }
    return packages;
  }

  Answer answer_for(std::string_view package, Device device) {
    if (request_.driver && misfit_of(*request_.driver, device)) return Answer::does_not_run;
    if (is_beside_other_cpu(package, device)) {
      find_other_cpu(package, device);
      return Answer::does_not_run;
    }
    const auto found = places_.find(package);
    if (found == places_.end()) return Answer::unknown;  // no kernels
    const bool ships = shipped_.count({package, device}) != 0;
    const auto answer = most_of(count_answers(found->second, device), ships);
    // The package does not record whether the GPU needs the file with most kernels.
    const bool in_part =
        answer == Answer::does_not_run && !request_.driver && is_served(package, device);
    return in_part ? Answer::runs_in_part : answer;
  }

  using Counts = std::array<std::size_t, 5>;  ///< of kernels, by answer

  [[nodiscard]] Counts count_answers(const Places& kernels, Device device) {
    Counts counts = {};
    for (const auto& [kernel, places] : kernels) {
      const auto answer = best_answer(places, device);
      const bool is_for_others =
          answer == Answer::does_not_run && is_picked_by_nvidia(places, device);
      if (!is_for_others) ++counts.at(static_cast<std::size_t>(answer));
    }
    return counts;
  }

  /// Returns the answer for most kernels. `ships`: most of them are in files that ship the GPU,
  /// where some kernels may be for other GPUs, as in an audit without a question.
  [[nodiscard]] Answer most_of(const Counts& kernels, bool ships) const {
    const auto all = std::accumulate(kernels.begin(), kernels.end(), std::size_t{0});
    if (all == 0) return is_unread() ? Answer::unknown : Answer::does_not_run;
    if (ships && !request_.driver) return Answer::runs;
    std::size_t sum = 0;
    std::size_t answer = 0;
    for (; answer + 1 < kernels.size(); ++answer) {
      sum += kernels.at(answer);
      if (sum * 2 > all) break;
    }
    return static_cast<Answer>(answer);
  }

  /// Returns the answer about a package and a device of the request.
  [[nodiscard]] Answer answer_about(std::string_view package, Device device) const {
    const auto found = result_.package_answers.find(std::string(package));
    if (found == result_.package_answers.end()) return Answer::does_not_run;
    const auto answer = found->second.find(device);
    return answer == found->second.end() ? Answer::does_not_run : answer->second;
  }

  /// Reports whether a kernel is from an NVIDIA library that has other kernels for the device, from
  /// which host code picks.
  [[nodiscard]] bool is_picked_by_nvidia(const std::vector<Place>& places, Device device) const {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) {
      const auto* served = find_served(place.file, device);
      const std::string_view path = result_.files[place.file].file.path;
      const auto library = path.substr(path.find_last_of("/!") + 1);
      return served != nullptr && served->kernels > 0 &&
             is_of_nvidia(place.row->name.str(), library);
    });
  }

  /// Reports whether some file could not be read.
  [[nodiscard]] bool is_unread() const {
    return std::any_of(result_.files.begin(), result_.files.end(),
                       [](const FileAudit& audit) { return !audit.file.errors.empty(); });
  }

  /// Reports whether no file of the package is for the CPU of the boards with this GPU.
  [[nodiscard]] bool is_beside_other_cpu(std::string_view package, Device device) const {
    const auto* gpu = table().find_architecture(device.number());
    if (gpu == nullptr) return false;
    for (std::size_t index = 0; index < selectors_.size(); ++index) {
      if (package_of(index) == package && may_meet(result_.files[index].file, *gpu)) return false;
    }
    return true;
  }

  /// Finds the GPUs on which most kernels of a package ran in the baseline, but no longer do.
  void find_lost() {
    if (!request_.baseline) return;
    for (const auto& [package, places] : places_) {
      std::vector<std::string> files;
      for (std::size_t index = 0; index < selectors_.size(); ++index) {
        if (package_of(index) == package) files.push_back(result_.files[index].file.path);
      }
      const auto ran = ran_by(*request_.baseline, request_.cell, files);
      const auto path = package.empty() ? files.front() : std::string(package);
      std::vector<Device> lost;
      for (const auto& [device, kernels] : ran.on) {
        if (kernels * 2 <= ran.kernels || shipped_.count({package, device}) != 0) continue;
        if (most_of(count_answers(places, device), false) != Answer::does_not_run) continue;
        lost.push_back(device);
      }
      if (!lost.empty()) add_lost(path, std::move(lost));
    }
  }

  void add_lost(const std::string& path, std::vector<Device> devices) {
    Finding finding;
    finding.code = "gpu-lost";
    finding.cell = request_.cell;
    finding.path = path;
    finding.devices = std::move(devices);
    finding.facts = {{"baseline", fatbin::printable(request_.baseline->path)}};
    result_.findings.push_back(std::move(finding));
  }

  void find_other_cpu(std::string_view package, Device device) {
    const auto first = std::find_if(result_.files.begin(), result_.files.end(), [&](auto& audit) {
      return package_of(static_cast<std::size_t>(&audit - result_.files.data())) == package;
    });
    Finding finding;
    finding.code = "other-cpu";
    finding.path = package;
    finding.device = device.text();
    finding.facts = {{"cpu", first->file.host_cpu},
                     {"board-cpu", table().find_architecture(device.number())->host_cpu}};
    result_.findings.push_back(std::move(finding));
  }

  /// Reports whether the request's driver refuses to load a file whose code the device uses.
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
      const auto& selector = *selectors_[place.file];
      const auto* driver = request_.driver ? &*request_.driver : nullptr;
      const auto decision = selector.decide(*place.row, device, driver);
      best = std::min(best, answer_of(has_code(selector, decision, device, request_),
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

  /// Reports whether the driver does not support a GPU that the request does not name. A GPU that
  /// the request names is a finding instead.
  [[nodiscard]] bool is_without_driver(Device device) const {
    return !is_asked(device) && request_.driver && misfit_of(*request_.driver, device);
  }

  /// Reports whether files that ship the device have most kernels of this file: host code picks the
  /// file by GPU, or by the CUDA version that it finds.
  [[nodiscard]] bool has_variant(std::size_t index, Device device) {
    std::size_t elsewhere = 0;
    const auto& rows = selectors_[index]->kernels();
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

  /// Returns the guard of a file, empty if the request has none. Where the file's own host code
  /// gives no answer, as of Windows or another CPU, that of the package's other files with the
  /// kernel counts: one launch decides.
  [[nodiscard]] HostGuard guard_of(std::size_t index) {
    if (!request_.is_guarded) return {};
    const auto& places = places_[package_of(index)];
    return [this, &places](const std::string& path, const std::string& kernel, Device failing,
                           const std::vector<Device>& working) {
      auto guarded = request_.is_guarded(path, kernel, failing, working);
      const auto found = places.find(kernel);
      if (guarded || found == places.end()) return guarded;
      for (const auto& place : found->second) {
        const auto& other = result_.files[place.file].file.path;
        if (other == path) continue;
        const auto answer = request_.is_guarded(other, kernel, failing, working);
        if (answer) guarded = *answer && guarded.value_or(true);
      }
      return guarded;
    };
  }

  /// Returns a path without the Python version, by which Python picks the file on any GPU.
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
  [[nodiscard]] bool is_served(std::string_view package, Device device) const {
    for (std::size_t index = 0; index < selectors_.size(); ++index) {
      if (package_of(index) == package && ships(index, device)) return true;
    }
    return false;
  }

  /// Returns the rule for a file that does not ship a device; nothing if it does not have to.
  [[nodiscard]] std::optional<Rule> rule_for(std::size_t index, Device device) {
    const auto* served = find_served(index, device);
    if (served == nullptr || served->ships) return std::nullopt;
    if (has_variant(index, device)) return Rule::variant;
    if (is_claimed(index, device) && !is_served(package_of(index), device)) return Rule::claimed;
    if (shipped_.count({package_of(index), device}) != 0) return Rule::package;
    const auto answer = is_asked(device) ? answer_about(package_of(index), device)
                                         : Answer::runs_in_part;  // judged as without a question
    if (answer == Answer::does_not_run) return Rule::asked;
    if (answer != Answer::runs_in_part) return Rule::package;
    return served->kernels == 0 && is_served(package_of(index), device)
               ? std::optional<Rule>(Rule::minority)
               : std::nullopt;
  }

  void judge(std::size_t index) {
    auto& audit = result_.files[index];
    const auto& selector = *selectors_[index];
    Promise promise;
    promise.accept = *request_.like_other_kernels;
    promise.driver = request_.driver;
    for (const auto& on : served_[index]) {
      if (on.ships && !is_beside_other_cpu(package_of(index), on.device))
        promise.devices.push_back(on.device);
    }
    audit.rows = coverage::judge(audit.file, selector, {promise}, result_.devices, request_).rows;
    FileJudge file(audit, selector, request_, result_, guard_of(index));
    file.judge_kernels();
    std::set<Device> judged(promise.devices.begin(), promise.devices.end());
    for (std::size_t at = 0; at < result_.devices.size(); ++at) {
      const auto device = result_.devices[at];
      if (audit.rows.empty() || ships(index, device)) continue;
      if (is_beside_other_cpu(package_of(index), device)) continue;
      if (!is_asked(device) && is_left_out(index, device)) continue;
      file.judge_failures(at);
      const auto rule = rule_for(index, device);
      if (!rule) continue;
      file.judge_file(at, *rule);
      judged.insert(device);
    }
    file.report();
    note_unjudged(index, judged);
  }

  /// Notes the devices that run a minority of kernels: either group of kernels may be the
  /// exception.
  void note_unjudged(std::size_t index, const std::set<Device>& judged) {
    std::set<Device> unknown;
    std::set<Device> left_out;
    std::string few;
    for (const auto& on : served_[index]) {
      if (on.kernels == 0 || judged.count(on.device) != 0) continue;
      if (!is_asked(on.device) && (!request_.devices.empty() || is_in_no_product(on.device))) {
        continue;
      }
      if (!is_asked(on.device) && is_left_out(index, on.device)) {
        left_out.insert(on.device);
        continue;
      }
      result_.unjudged.insert(on.device);
      if (is_without_driver(on.device)) {
        unknown.insert(on.device);
      } else {
        few +=
            (few.empty() ? "" : ", ") + on.device.text() + " (" + std::to_string(on.kernels) + ")";
      }
    }
    const auto& path = result_.files[index].file.path;
    if (!few.empty()) {
      result_.remarks.push_back({"served-in-part",
                                 path,
                                 {{"of", std::to_string(selectors_[index]->kernels().size())},
                                  {"accept", list_verdicts(*request_.like_other_kernels)},
                                  {"gpus", few}}});
    }
    if (!left_out.empty()) {
      result_.remarks.push_back(
          {"gpus-left-out",
           path,
           {{"source", claim_of(index)->source}, {"gpus", list_devices(left_out)}}});
    }
    if (!unknown.empty()) {
      result_.remarks.push_back(
          {"gpus-without-driver",
           path,
           {{"driver", request_.driver->name}, {"gpus", list_devices(unknown)}}});
    }
  }

  const std::vector<std::unique_ptr<ImageSelector>>& selectors_;
  const Request& request_;
  Audit& result_;
  std::vector<std::vector<OnDevice>> served_;  ///< by file
  std::map<std::pair<std::size_t, Device>, bool> refused_;
  /// Packages with devices: most of the package's kernels are in files that ship the device.
  std::set<std::pair<std::string_view, Device>> shipped_;
  std::map<std::string_view, Places> places_;  ///< by package
};

}  // namespace

const char* name_of(Answer answer) {
  constexpr std::array<const char*, 5> kAnswers = {"runs", "runs-after-jit", "runs-in-part",
                                                   "unknown", "does-not-run"};
  return kAnswers.at(static_cast<std::size_t>(answer));
}

void set_apart_suspects(FileAudit& file, const ImageSelector& selector, const Request& request,
                        std::vector<Breach>& breaches, Audit& audit) {
  const auto is_strict = [](const Breach& breach) { return breach.strict; };
  if (std::all_of(breaches.begin(), breaches.end(), is_strict)) return;
  FileJudge judge(file, selector, request, audit, request.is_guarded);
  judge.set_apart(breaches);
  judge.report();
}

void judge_package(const std::vector<std::unique_ptr<ImageSelector>>& selectors,
                   const Request& request, Audit& audit) {
  PackageJudge(selectors, request, audit).run();
}

}  // namespace archgrid::coverage
