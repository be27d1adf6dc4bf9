// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <archgrid/report.hpp>

#include "commands.hpp"
#include "inputs.hpp"

namespace archgrid::cli {

int run_list(const ListOptions& options) {
  const auto files = read_inputs(options.files);
  fmt::print("{}", options.json ? report::list_json(files)
                                : report::list_text(files, report::style_for(STDOUT_FILENO)));
  int code = kHolds;
  for (const auto& file : files) {
    for (const auto& error : file.errors) {
      fmt::print(stderr, "archgrid: {}\n", coverage::error_text(file.path, error));
      code = kTrouble;
    }
    for (const auto& image : file.images) {
      if (image.error.empty()) continue;
      fmt::print(stderr, "archgrid: {}: image {}: {}\n", file.path, image.arch.text(), image.error);
      code = kTrouble;
    }
  }
  return code;
}

}  // namespace archgrid::cli
