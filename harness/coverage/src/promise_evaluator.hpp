// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_PROMISE_EVALUATOR_HPP
#define ARCHGRID_COVERAGE_PROMISE_EVALUATOR_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <vector>

namespace archgrid::coverage {

/// A kernel that breaks a promise on a device.
struct Breach {
  std::size_t row = 0;     ///< of the kernel
  std::size_t at = 0;      ///< of the device
  std::size_t module = 0;  ///< that decided
  Verdict verdict = Verdict::missing;
  bool strict = true;       ///< false: evidence may explain it (Promise::strict)
  std::size_t promise = 0;  ///< by index
  Reason reason;
};

struct IgnoredBreach {
  Breach breach;
  const Ignore* ignore = nullptr;  ///< of the request; null: known from the baseline
};

/// The result of judging one file against promises.
struct Judged {
  std::vector<Row> rows;
  std::vector<Breach> breaches;        ///< in the order of the rows
  std::vector<IgnoredBreach> ignored;  ///< in the order of the rows
  std::vector<bool> promise_used;      ///< by promise: it applies to a kernel of the file
  std::vector<bool> ignore_used;       ///< by entry of the request
};

/// Judges every kernel of the file for every device, in parallel. `selector` is that of the file.
Judged evaluate_promises(const fatbin::File& file, const ImageSelector& selector,
                         const std::vector<Promise>& promises,
                         const std::vector<ComputeCapability>& devices, const Request& request);

}  // namespace archgrid::coverage

#endif
