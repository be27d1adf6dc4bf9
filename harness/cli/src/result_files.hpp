// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_RESULT_FILES_HPP
#define ARCHGRID_CLI_RESULT_FILES_HPP

#include <archgrid/report/merge.hpp>
#include <string>
#include <vector>

namespace archgrid::cli {

struct ResultFiles {
  std::vector<report::ResultFile> files;
  std::vector<std::string> errors;  ///< of inputs that do not exist or have no such file
};

/// Finds .json and .xml files in folders and below, without following links. A folder with such
/// files of its own, or with "Testing", is one job; otherwise each folder in it is one. A named
/// file belongs to the job of its folder.
ResultFiles find_result_files(const std::vector<std::string>& inputs);

}  // namespace archgrid::cli

#endif
