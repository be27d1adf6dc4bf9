// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_DUMP_JSON_HPP
#define ARCHGRID_REPORT_DUMP_JSON_HPP

#include <nlohmann/json.hpp>
#include <string>

namespace archgrid::report {

/// Returns JSON text on one line. Replaces bytes that are not UTF-8, as names in files may contain
/// any bytes.
inline std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace archgrid::report

#endif
