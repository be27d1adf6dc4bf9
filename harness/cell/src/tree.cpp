// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell/tree.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace archgrid::cell {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Returns the error for valid JSON that does not follow its schema.
TreeError misshapen(const fs::path& path, const json::exception& error) {
  const std::string_view said = error.what();
  const auto begin = said.find("] ");  // behind the parser's name for the error
  return TreeError(fmt::format("{}: {}: configure the tree and build the cell again", path.string(),
                               begin == std::string_view::npos ? said : said.substr(begin + 2)));
}

json read_json(const fs::path& path, const std::string& schema) {
  try {
    auto content = json::parse(coverage::read_json_text(path));
    const auto found = content.at("schema").get<std::string>();
    if (found != schema) {
      throw TreeError(
          fmt::format("{}: schema is \"{}\", expected \"{}\"", path.string(), found, schema));
    }
    return content;
  } catch (const coverage::JsonError& error) {
    throw TreeError(error.what());
  } catch (const json::exception& error) {
    throw misshapen(path, error);
  }
}

const json& planned_cell(const json& plan, const std::string& id) {
  for (const auto& cell : plan.at("cells")) {
    if (cell.at("id").get<std::string>() == id) return cell;
  }
  throw TreeError(fmt::format("plan.json: an audit names the cell {}, which the plan lacks", id));
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns why a cell of this state cannot be audited; nothing if it was built.
coverage::Facts problem_of(const json& state) {
  const auto status = state.at("status").get<std::string>();
  if (status == "built") return {};
  if (status == "stale") return {{"problem", "stale"}, {"status", "built"}};
  coverage::Facts facts = {{"problem", status == "edited" ? "edited" : "status"},
                           {"status", status}};
  for (const auto* name : {"step", "reason", "log"}) {
    if (auto text = text_of(state, name); !text.empty()) facts[name] = std::move(text);
  }
  return facts;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Returns changed_matrix() of the tree `root`, whose plan is `plan`.
std::string changed_matrix_of(const fs::path& root, const json& plan) {
  const auto path = text_of(plan, "matrix");
  const fs::path origin = root / path;  // unchanged if `path` is absolute
  std::error_code error;
  if (!fs::exists(root / "CMakeCache.txt", error)) return {};
  if (path.empty() || !fs::is_regular_file(origin, error)) return {};
  return bytes_of(origin) == bytes_of(root / "matrix.json") ? std::string() : path;
}

void read_state(const fs::path& root, BuiltCell& cell) {
  const auto path = root / "cells" / (cell.id + ".json");
  if (!fs::exists(path)) {
    cell.problem = {{"problem", "never-built"}};
    return;
  }
  const auto state = read_json(path, "archgrid.cell/1");
  cell.problem = problem_of(state);
  if (!cell.problem.empty()) return;
  const bool by_cmake = state.value("compiled_by_cmake", true);
  cell.options = by_cmake ? coverage::Options::cmake : coverage::Options::nvcc;
  for (const auto& artifact : state.at("artifacts")) {
    cell.artifacts.push_back(root / "cells" / cell.id / artifact.get<std::string>());
  }
  for (const auto& file : state.value("handmade", json::array())) {
    cell.handmade.insert((root / "cells" / cell.id / file.get<std::string>()).string());
  }
  for (const auto& file : state.value("unnamed", json::array())) {
    cell.unnamed.insert((root / "cells" / cell.id / file.get<std::string>()).string());
  }
  for (const auto& file : state.value("unaudited", json::array())) {
    if (!file.is_object()) {
      cell.problem = {{"problem", "old-state"}, {"status", "built"}};
      return;
    }
    const auto listed = file.at("path").get<std::string>();
    cell.unaudited.push_back({root / "cells" / cell.id / listed, file.at("why").get<std::string>(),
                              text_of(file, "reason")});
  }
  cell.excluded = state.value("excluded", std::vector<std::string>());
}

BuiltCell read_cell(const fs::path& root, const json& plan, const json& audit) {
  BuiltCell cell;
  cell.id = audit.at("cell").get<std::string>();
  const auto& planned = planned_cell(plan, cell.id);
  const auto cuda = planned.at("cuda").get<std::string>();
  const auto toolkit = coverage::parse_version(cuda);
  if (!toolkit) throw TreeError(fmt::format("plan.json: \"{}\" is no CUDA version", cuda));
  cell.toolkit = *toolkit;
  cell.archs = planned.at("archs").get<std::vector<std::string>>();
  if (planned.at("kind").get<std::string>() == "single") cell.arch = cell.archs.at(0);
  if (audit.contains("devices")) {
    for (const auto& text : audit.at("devices")) {
      const auto device = coverage::parse_device(text.get<std::string>());
      if (!device) throw TreeError(fmt::format("plan.json: {} is no device", text.dump()));
      cell.devices.push_back(*device);
    }
    // The plan lists the devices, so the arch is not needed.
    cell.arch.clear();
  }
  cell.enforced = planned.value("enforce_archs", false);
  read_state(root, cell);
  return cell;
}

void expect_tree(const fs::path& root) {
  if (fs::exists(root / "plan.json")) return;
  const auto nested = root / "matrix";
  const auto example = fs::exists(nested / "plan.json")
                           ? nested.string()
                           : std::string("build/matrix after cmake --preset quick");
  throw TreeError(fmt::format("{}: cannot open: name the build tree of a configured matrix, as {}",
                              (root / "plan.json").string(), example));
}

}  // namespace

bool is_built(const fs::path& root, const std::string& id) {
  const auto path = root / "cells" / (id + ".json");
  try {
    return text_of(read_json(path, "archgrid.cell/1"), "status") == "built";
  } catch (const TreeError&) {  // or the file is missing
    return false;
  }
}

std::string changed_matrix(const fs::path& root) {
  expect_tree(root);
  return changed_matrix_of(root, read_json(root / "plan.json", "archgrid.plan/1"));
}

Tree read_tree(const fs::path& root) {
  expect_tree(root);
  Tree tree;
  tree.root = root;
  tree.matrix = root / "matrix.json";
  const auto plan = read_json(root / "plan.json", "archgrid.plan/1");
  try {
    for (const auto& cell : plan.at("cells")) tree.ids.insert(cell.at("id").get<std::string>());
    const auto changed = changed_matrix_of(root, plan);
    for (const auto& audit : plan.at("audits")) {
      auto cell = read_cell(root, plan, audit);
      if (!changed.empty() && cell.problem.empty()) {
        cell.problem = {{"problem", "matrix-changed"}, {"status", "built"}, {"matrix", changed}};
      }
      tree.cells.push_back(std::move(cell));
    }
  } catch (const json::exception& error) {
    throw misshapen(root / "plan.json", error);
  }
  return tree;
}

std::optional<BuiltCell> find_cell(const fs::path& root, const std::string& id) {
  std::error_code error;
  if (!fs::exists(root / "plan.json", error)) return std::nullopt;
  try {
    for (auto& cell : read_tree(root).cells) {
      if (cell.id == id) return std::move(cell);
    }
  } catch (const TreeError&) {
    // Then there is no such cell.
  }
  return std::nullopt;
}

}  // namespace archgrid::cell
