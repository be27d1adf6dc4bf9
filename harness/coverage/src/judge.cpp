// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/parallel.hpp>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "fix.hpp"
#include "holds.hpp"
#include "ignore.hpp"

namespace archgrid::coverage {
namespace {

/// What is said of all kernels on whose fate a module decides alike.
struct Said {
  struct Broken {
    const Promise* promise = nullptr;
    Text message;
    std::shared_ptr<const Remedy> remedy;
  };
  Text reason;
  std::vector<Broken> broken;
};

/// By device, module and verdict.
using SaidByCase = std::unordered_map<std::uint64_t, Said>;

/// What one thread finds out about rows of a file.
struct Sheet {
  TextPool texts;  // of its own: threads that count the copies of one text wait for each other
  std::map<const Driver*, SaidByCase> said;
  std::vector<bool> promise_used;
  std::vector<bool> ignore_used;
};

/// What is wrong with some rows, one after the other.
struct Complaints {
  std::vector<Breach> breaches;
  std::vector<ForgivenBreach> forgiven;
};

/// Those of all pieces, in their order. Big libraries have 100,000 breaches: each is moved once.
template <typename Found>
std::vector<Found> joined(std::vector<Complaints>& pieces, std::vector<Found> Complaints::*member) {
  std::size_t count = 0;
  for (const auto& piece : pieces) count += (piece.*member).size();
  std::vector<Found> result;
  result.reserve(count);
  for (auto& piece : pieces) {
    std::move((piece.*member).begin(), (piece.*member).end(), std::back_inserter(result));
  }
  return result;
}

std::vector<bool> any_of(const std::vector<Sheet>& sheets, std::vector<bool> Sheet::*member) {
  auto any = sheets.front().*member;
  for (const auto& sheet : sheets) {
    for (std::size_t index = 0; index < any.size(); ++index) {
      any[index] = any[index] || (sheet.*member)[index];
    }
  }
  return any;
}

/// Returns the options that fixes of the file at `path` name, which may be a member of an archive.
Options options_for(const std::string& path, const Request& request) {
  if (request.options == Options::nvcc) return Options::nvcc;
  for (const auto& made : request.handmade) {
    const bool is_member = path.starts_with(made + "!");
    if (path == made || (is_member && made.ends_with(".a"))) return Options::nvcc;
    if (is_member) return Options::both;  // a package, of files that targets make or none does
  }
  return request.options;
}

/// Judges the rows of one file.
class Judge {
 public:
  Judge(const Request& request, const std::vector<Device>& devices,
        const std::vector<Promise>& promises, const fatbin::File& file, const Coverage& coverage)
      : request_(request),
        devices_(devices),
        promises_(promises),
        coverage_(coverage),
        fixes_(file, coverage, request.toolkit, options_for(file.path, request),
               request.cell_archs),
        path_(file.path) {}

  [[nodiscard]] Judged judge() const {
    const auto& kernels = coverage_.kernels();
    Sheet blank;
    blank.promise_used.resize(promises_.size());
    blank.ignore_used.resize(request_.ignores.size());
    constexpr std::size_t kPiece = 128;
    std::vector<Complaints> pieces((kernels.size() + kPiece - 1) / kPiece);
    std::vector<Sheet> sheets(std::max<std::size_t>(1, threads_for(pieces.size())), blank);
    Judged judged;
    judged.rows.resize(kernels.size());
    parallel_for(pieces.size(), [&](std::size_t piece, std::size_t thread) {
      const auto end = std::min((piece + 1) * kPiece, kernels.size());
      for (auto index = piece * kPiece; index < end; ++index) {
        judged.rows[index] = judge_row(kernels[index], index, sheets[thread], pieces[piece]);
      }
    });
    judged.breaches = joined(pieces, &Complaints::breaches);
    judged.forgiven = joined(pieces, &Complaints::forgiven);
    judged.promise_used = any_of(sheets, &Sheet::promise_used);
    judged.ignore_used = any_of(sheets, &Sheet::ignore_used);
    return judged;
  }

 private:
  /// A field of the map.
  struct Spot {
    const KernelRow& kernel;
    std::size_t row;
    Device device;
    std::size_t at;                           ///< of the device
    const std::vector<std::size_t>& ignores;  ///< that name the kernel, by index
  };

  struct Answer {
    Decision decision;
    Said* said = nullptr;  ///< null where it is of this kernel alone
  };

  /// Texts take most of the time, and thousands of kernels share them.
  Answer answer(const KernelRow& kernel, Device device, const Driver* driver, Sheet& sheet) const {
    constexpr std::uint64_t kMostVerdicts = 16;
    constexpr std::uint64_t kMostDevices = 1 << 16;
    auto decision = coverage_.outline(kernel, device, driver);
    if (!coverage_.is_reason_common(kernel, decision)) {
      decision = coverage_.decide(kernel, device, driver);
      decision.judgement.reason = sheet.texts.share(decision.judgement.reason);
      return {std::move(decision), nullptr};
    }
    const auto number = static_cast<std::uint64_t>(device.number());
    const auto verdict = static_cast<std::uint64_t>(decision.judgement.verdict);
    auto& said =
        sheet.said[driver][(decision.module * kMostDevices + number) * kMostVerdicts + verdict];
    if (said.reason.empty()) {
      said.reason = sheet.texts.share(coverage_.decide(kernel, device, driver).judgement.reason);
    }
    decision.judgement.reason = said.reason;
    return {std::move(decision), &said};
  }

  Row judge_row(const KernelRow& kernel, std::size_t number, Sheet& sheet,
                Complaints& complaints) const {
    Row row;
    row.kernel = kernel;
    auto promises = promises_of(promises_, kernel);
    for (const auto* promise : promises) {
      sheet.promise_used[static_cast<std::size_t>(promise - promises_.data())] = true;
    }
    // Patterns of one entry lie side by side.
    const auto is_repeated = [](const Promise* first, const Promise* next) {
      return !first->entry.empty() && first->entry == next->entry;
    };
    promises.erase(std::unique(promises.begin(), promises.end(), is_repeated), promises.end());
    const auto ignores = ignores_of(kernel);
    row.fields.reserve(devices_.size());
    for (std::size_t at = 0; at < devices_.size(); ++at) {
      const auto device = devices_[at];
      const auto* driver = driver_of(promises, device);
      auto shown = answer(kernel, device, driver, sheet);
      Field field;
      for (const auto* promise : promises) {
        if (!holds(promise->devices, device)) continue;
        const auto* own = promise->driver ? &*promise->driver : nullptr;
        const Spot spot{row.kernel, number, device, at, ignores};
        check(spot, *promise, own == driver ? shown : answer(kernel, device, own, sheet), sheet,
              complaints, field);
      }
      if (field.state != State::broken && field.state != State::forgiven) {
        field.judgement = std::move(shown.decision.judgement);
      }
      row.fields.push_back(std::move(field));
    }
    return row;
  }

  // A kernel that is not promised is shown all the same, judged for the driver it might meet.
  [[nodiscard]] const Driver* driver_of(const std::vector<const Promise*>& promises,
                                        Device device) const {
    for (const auto* promise : promises) {
      if (holds(promise->devices, device) && promise->driver) return &*promise->driver;
    }
    return request_.driver ? &*request_.driver : nullptr;
  }

  void check(const Spot& spot, const Promise& promise, const Answer& found, Sheet& sheet,
             Complaints& complaints, Field& field) const {
    const auto verdict = found.decision.judgement.verdict;
    const auto* ignore = ignore_for(spot, sheet);
    if (promise.accept.count(verdict) != 0) {
      if (field.state == State::not_promised) field.state = State::kept;
      return;
    }
    field.judgement = found.decision.judgement;
    auto breach = breach_of(spot, promise, found, sheet);
    const auto forgive = [&](std::string reason) {
      if (field.state != State::broken) field.state = State::forgiven;
      complaints.forgiven.push_back({std::move(breach), sheet.texts.share(std::move(reason))});
    };
    if (ignore != nullptr) {
      forgive(ignore->reason);
    } else if (is_known(spot, verdict)) {
      forgive(reason_of(*request_.baseline));
    } else {
      field.state = State::broken;
      complaints.breaches.push_back(std::move(breach));
    }
  }

  [[nodiscard]] bool is_known(const Spot& spot, Verdict verdict) const {
    if (!request_.baseline) return false;
    const auto& kernel =
        spot.kernel.name.empty() ? spot.kernel.demangled.str() : spot.kernel.name.str();
    return coverage::is_known(*request_.baseline,
                              {name_of(verdict), name_of(Rule::promised), request_.cell, path_,
                               kernel, spot.device, verdict});
  }

  [[nodiscard]] Breach breach_of(const Spot& spot, const Promise& promise, const Answer& found,
                                 Sheet& sheet) const {
    auto broken = broken_of(spot, promise, found, sheet.texts);
    return {spot.row,
            spot.at,
            found.decision.module,
            found.decision.judgement.verdict,
            promise.strict || request_.strict,
            std::move(broken.message),
            std::move(broken.remedy)};
  }

  [[nodiscard]] Said::Broken broken_of(const Spot& spot, const Promise& promise,
                                       const Answer& found, TextPool& texts) const {
    if (found.said == nullptr) return tell(spot, promise, found.decision, texts);
    auto& told = found.said->broken;
    const auto known = std::find_if(told.begin(), told.end(), [&](const Said::Broken& broken) {
      return broken.promise == &promise;
    });
    if (known != told.end()) return *known;
    told.push_back(tell(spot, promise, found.decision, texts));
    return told.back();
  }

  [[nodiscard]] Said::Broken tell(const Spot& spot, const Promise& promise,
                                  const Decision& decision, TextPool& texts) const {
    const auto message = fmt::format("{}; promised is {}", decision.judgement.reason.str(),
                                     list_verdicts(promise.accept));
    auto remedy = fixes_.remedy({spot.device, promise.accept, promise.driver}, decision);
    return {&promise, texts.share(message), std::make_shared<const Remedy>(std::move(remedy))};
  }

  // Patterns take long to match, so each kernel meets them once.
  [[nodiscard]] std::vector<std::size_t> ignores_of(const KernelRow& kernel) const {
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      if (matches_kernel(request_.ignores[index].kernel, kernel)) found.push_back(index);
    }
    return found;
  }

  const Ignore* ignore_for(const Spot& spot, Sheet& sheet) const {
    const Ignore* found = nullptr;
    for (const auto index : spot.ignores) {
      const auto& ignore = request_.ignores[index];
      if (!is_there(ignore, spot.device)) continue;
      sheet.ignore_used[index] = true;
      if (found == nullptr) found = &ignore;
    }
    return found;
  }

  const Request& request_;
  const std::vector<Device>& devices_;
  const std::vector<Promise>& promises_;
  const Coverage& coverage_;
  Fixes fixes_;
  const std::string& path_;
};

}  // namespace

Judged judge(const fatbin::File& file, const Coverage& coverage,
             const std::vector<Promise>& promises, const std::vector<Device>& devices,
             const Request& request) {
  return Judge(request, devices, promises, file, coverage).judge();
}

}  // namespace archgrid::coverage
