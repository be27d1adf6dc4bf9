// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_JUDGE_HPP
#define ARCHGRID_COVERAGE_JUDGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// One file against promises.
struct Judged {
  std::vector<Row> rows;
  std::vector<Finding> findings;  ///< in the order of the rows
  std::vector<Forgiven> forgiven;
  std::vector<bool> promise_used;  ///< by promise: it concerns a kernel of the file
  std::vector<bool> ignore_used;   ///< by entry of the request
};

/// Judges every kernel of the file for every device, on every core. `coverage` is of that file.
Judged judge(const fatbin::File& file, const Coverage& coverage,
             const std::vector<Promise>& promises, const std::vector<Device>& devices,
             const Request& request);

}  // namespace archgrid::coverage

#endif
