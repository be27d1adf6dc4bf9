// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/system/process.hpp>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "modules.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
  return system::own_executable().parent_path();
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

std::string quoted_for_shell(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + '\'';
}

std::string own_command() {
  std::error_code error;
  const auto self = system::own_executable();
  if (self.filename() != "archgrid") return "archgrid";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::exists(fs::path(folder) / "archgrid", error)) return "archgrid";
  }
  return quoted_for_shell(self.string());
}

}  // namespace archgrid::cli
