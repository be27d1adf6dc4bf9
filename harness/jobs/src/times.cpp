// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/jobs.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace archgrid::jobs {

void add_time(const std::string& cell_json, Times& times) {
  try {
    const auto cell = nlohmann::json::parse(cell_json);
    if (cell.at("schema") != "archgrid.cell/1") throw std::runtime_error("no archgrid.cell/1");
    if (cell.at("status") != "built") return;
    times[cell.at("id").get<std::string>()] = cell.at("seconds").get<double>();
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error("no archgrid.cell/1");
  }
}

}  // namespace archgrid::jobs
