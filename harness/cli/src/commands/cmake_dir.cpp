// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "commands/commands.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kCMakeDirExamples = R"help(Examples:
  cmake -S . -B build -DArchGrid_ROOT="$(archgrid cmake-dir)"
  cmake -DTREE=build -DOUTPUT=cells.tar.zst -P "$(archgrid cmake-dir)/archgrid/bundle.cmake"

This is the folder of ArchGrid.cmake: beside the installed command, in the sources that it was built
from, or where the environment variable ARCHGRID_MODULES says.)help";

struct CMakeDirOptions {};

int run_cmake_dir(const CMakeDirOptions&) {
  print(stdout, std::filesystem::absolute(find_modules("cmake-dir")).string() + '\n');
  return kHolds;
}

}  // namespace

void add_cmake_dir(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("cmake-dir", "Print the folder of archgrid's CMake modules");
  options_of(*command, run, run_cmake_dir);
  command->footer(kCMakeDirExamples);
}

}  // namespace archgrid::cli
