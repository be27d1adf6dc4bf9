// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Build trees for tests of the command, made up of real binaries.
#ifndef ARCHGRID_TESTS_CLI_TREES_HPP
#define ARCHGRID_TESTS_CLI_TREES_HPP

#include <string>

#include "command.hpp"

namespace archgrid::tests {

inline constexpr const char* kTreeMatrix = R"({"name": "m",
  "toolkits": [{"cuda": "11.8", "archs": ["75", "80"]}, {"cuda": "13.5", "archs": ["75", "80"]}],
  "promises": [{"devices": ["8.0", "8.6"]}]})";

inline constexpr const char* kPlan =
    R"({"schema": "archgrid.plan/1", "name": "m", "matrix": "m.json",
  "cells": [
    {"id": "cu118-fat", "cuda": "11.8", "kind": "fat", "archs": ["75", "80"]},
    {"id": "cu135-fat", "cuda": "13.5", "kind": "fat", "archs": ["75", "80"]},
    {"id": "cu135-sm80", "cuda": "13.5", "kind": "single", "archs": ["80"]}],
  "audits": [{"cell": "cu118-fat", "devices": ["8.0", "8.6"]},
             {"cell": "cu135-fat", "devices": ["8.0", "8.6"]},
             {"cell": "cu135-sm80"}],
  "jobs": [], "excluded": []})";

/// Returns the state of a cell; `rest` are further keys.
inline std::string state(const std::string& id, const std::string& status,
                         const std::string& rest) {
  return R"({"schema": "archgrid.cell/1", "id": ")" + id + R"(", "status": ")" + status +
         R"(", "step": "build", "seconds": 1, "log": "cells/)" + id + R"(.log", "reason": "", )" +
         rest + "}";
}

/// Makes a tree in which all cells are built.
inline fs::path built_tree() {
  const auto root = folder() / "tree";
  write(root / "matrix.json", kTreeMatrix);
  write(root / "plan.json", kPlan);
  for (const auto* id : {"cu118-fat", "cu135-fat", "cu135-sm80"}) {
    const std::string toolkit = std::string(id).substr(0, 5) == "cu118" ? "11.8" : "13.5";
    write(root / "cells" / id / "libsample.so", contents_of(sample("libsample.so", toolkit)));
    write(root / "cells" / id / "linked", contents_of(sample("linked", toolkit)));
    write(root / "cells" / (std::string(id) + ".json"),
          state(id, "built", R"("artifacts": ["linked", "libsample.so"])"));
  }
  return root;
}

}  // namespace archgrid::tests

#endif
