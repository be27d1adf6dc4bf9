// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_PROMISE_TABLE_HPP
#define ARCHGRID_COVERAGE_PROMISE_TABLE_HPP

#include <archgrid/coverage/promise.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace archgrid::coverage {

/// Returns the promise of a table in a file other than a matrix file: one promise with its ignores,
/// or "matrix", a matrix file relative to the folder of `path`. `place` is the table's place in the
/// file at `path`. Throws MatrixError.
Matrix read_promise_table(const std::string& path, const std::string& place,
                          const nlohmann::json& table);

}  // namespace archgrid::coverage

#endif
