// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "promise_evaluator.hpp"

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <iterator>
#include <utility>

#include "contains.hpp"
#include "ignore.hpp"

namespace archgrid::coverage {
namespace {

/// The results of one thread for rows of a file.
struct Sheet {
  std::vector<bool> promise_used;
  std::vector<bool> ignore_used;
};

/// The breaches of some rows, in their order.
struct Complaints {
  std::vector<Breach> breaches;
  std::vector<IgnoredBreach> ignored;
};

/// Joins the pieces in order. Large libraries have 100,000 breaches, so each is moved only once.
template <typename Found>
std::vector<Found> concatenated(std::vector<Complaints>& pieces,
                                std::vector<Found> Complaints::*member) {
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

/// The evaluator of the rows of one file.
class PromiseEvaluator {
 public:
  PromiseEvaluator(const Request& request, const std::vector<ComputeCapability>& devices,
                   const std::vector<Promise>& promises, const fatbin::File& file,
                   const ImageSelector& selector)
      : request_(request),
        devices_(devices),
        promises_(promises),
        selector_(selector),
        path_(file.path) {}

  [[nodiscard]] Judged evaluate() const {
    const auto& kernels = selector_.kernels();
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
        judged.rows[index] = evaluate_row(kernels[index], index, sheets[thread], pieces[piece]);
      }
    });
    judged.breaches = concatenated(pieces, &Complaints::breaches);
    judged.ignored = concatenated(pieces, &Complaints::ignored);
    judged.promise_used = any_of(sheets, &Sheet::promise_used);
    judged.ignore_used = any_of(sheets, &Sheet::ignore_used);
    return judged;
  }

 private:
  /// A field of the map.
  struct Spot {
    const KernelRow& kernel;
    std::size_t row;
    ComputeCapability device;
    std::size_t at;                           ///< of the device
    const std::vector<std::size_t>& ignores;  ///< indices of those that match the kernel
  };

  Row evaluate_row(const KernelRow& kernel, std::size_t number, Sheet& sheet,
                   Complaints& complaints) const {
    Row row;
    row.kernel = kernel;
    auto promises = promises_of(promises_, kernel);
    for (const auto* promise : promises) {
      sheet.promise_used[static_cast<std::size_t>(promise - promises_.data())] = true;
    }
    // Patterns of one entry are adjacent.
    const auto is_repeated = [](const Promise* first, const Promise* next) {
      return !first->entry.empty() && first->entry == next->entry;
    };
    promises.erase(std::unique(promises.begin(), promises.end(), is_repeated), promises.end());
    const auto ignores = ignores_of(kernel);
    row.fields.reserve(devices_.size());
    for (std::size_t at = 0; at < devices_.size(); ++at) {
      const auto device = devices_[at];
      const auto* driver = driver_of(promises, device);
      auto shown = selector_.predict(kernel, device, driver);
      Field field;
      for (const auto* promise : promises) {
        if (!contains(promise->devices, device)) continue;
        const auto* own = promise->driver ? &*promise->driver : nullptr;
        const Spot spot{row.kernel, number, device, at, ignores};
        check(spot, *promise, own == driver ? shown : selector_.predict(kernel, device, own), sheet,
              complaints, field);
      }
      if (field.state != State::broken && field.state != State::ignored) {
        field.verdict = shown.verdict;
        field.reason = std::move(shown.reason);
      }
      row.fields.push_back(std::move(field));
    }
    return row;
  }

  // The map also shows kernels without a promise, judged with the driver of the request.
  [[nodiscard]] const Driver* driver_of(const std::vector<const Promise*>& promises,
                                        ComputeCapability device) const {
    for (const auto* promise : promises) {
      if (contains(promise->devices, device) && promise->driver) return &*promise->driver;
    }
    return request_.driver ? &*request_.driver : nullptr;
  }

  void check(const Spot& spot, const Promise& promise, const LaunchPrediction& found, Sheet& sheet,
             Complaints& complaints, Field& field) const {
    const auto verdict = found.verdict;
    const bool is_kept = promise.accept.count(verdict) != 0;
    const auto* ignore = ignore_for(spot, code_of(verdict, found.reason), is_kept, sheet);
    if (is_kept) {
      if (field.state == State::not_promised) field.state = State::kept;
      return;
    }
    field.verdict = verdict;
    field.reason = found.reason;
    auto breach = breach_of(spot, promise, found);
    if (ignore == nullptr && !is_known(spot, found)) {
      field.state = State::broken;
      complaints.breaches.push_back(std::move(breach));
      return;
    }
    if (field.state != State::broken) field.state = State::ignored;
    complaints.ignored.push_back({std::move(breach), ignore});
  }

  [[nodiscard]] bool is_known(const Spot& spot, const LaunchPrediction& found) const {
    if (!request_.baseline) return false;
    const auto& kernel =
        spot.kernel.name.empty() ? spot.kernel.demangled.str() : spot.kernel.name.str();
    return coverage::is_known(*request_.baseline,
                              {code_of(found.verdict, found.reason), name_of(Rule::promised),
                               request_.cell, path_, kernel, spot.device, found.verdict});
  }

  [[nodiscard]] Breach breach_of(const Spot& spot, const Promise& promise,
                                 const LaunchPrediction& found) const {
    return {spot.row,
            spot.at,
            found.module,
            found.verdict,
            promise.strict || request_.strict,
            static_cast<std::size_t>(&promise - promises_.data()),
            found.reason};
  }

  // Matching patterns is slow, so each kernel is matched once.
  [[nodiscard]] std::vector<std::size_t> ignores_of(const KernelRow& kernel) const {
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < request_.ignores.size(); ++index) {
      const auto& ignore = request_.ignores[index];
      if (is_about(ignore, ignore.code, kernel, path_)) found.push_back(index);
    }
    return found;
  }

  /// Returns the entry that ignores a verdict with the code. An entry without a code is used
  /// if it matches a promised kernel, one with a code if it matches a finding.
  const Ignore* ignore_for(const Spot& spot, const char* code, bool is_kept, Sheet& sheet) const {
    const Ignore* found = nullptr;
    for (const auto index : spot.ignores) {
      const auto& ignore = request_.ignores[index];
      if (!is_there(ignore, spot.device)) continue;
      if (!ignore.code.empty() && (is_kept || ignore.code != code)) continue;
      sheet.ignore_used[index] = true;
      if (found == nullptr) found = &ignore;
    }
    return found;
  }

  const Request& request_;
  const std::vector<ComputeCapability>& devices_;
  const std::vector<Promise>& promises_;
  const ImageSelector& selector_;
  const std::string& path_;
};

}  // namespace

Judged evaluate_promises(const fatbin::File& file, const ImageSelector& selector,
                         const std::vector<Promise>& promises,
                         const std::vector<ComputeCapability>& devices, const Request& request) {
  return PromiseEvaluator(request, devices, promises, file, selector).evaluate();
}

}  // namespace archgrid::coverage
