// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "command.hpp"
#include "modules.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path();
}

}  // namespace

fs::path find_modules(const std::string& command) {
  std::vector<fs::path> places;
  const char* chosen = std::getenv("ARCHGRID_MODULES");
  if (chosen != nullptr && chosen[0] != '\0') {
    places = {chosen};
  } else {
    places = {(own_folder() / kInstalledModules).lexically_normal()};
    if (kModules[0] != '\0') places.emplace_back(kModules);
  }
  std::string tried;
  for (const auto& place : places) {
    std::error_code error;
    if (fs::exists(place / "archgrid" / "expand.cmake", error)) return place;
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  throw UsageError(
      fmt::format("{}: archgrid's CMake modules are not in {}: set ARCHGRID_MODULES "
                  "to the folder that holds ArchGrid.cmake",
                  command, tried));
}

}  // namespace archgrid::cli
