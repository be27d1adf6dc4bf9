// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the log of the ctest run that started this process.
#ifndef ARCHGRID_CLI_CTEST_LOG_HPP
#define ARCHGRID_CLI_CTEST_LOG_HPP

#include <filesystem>
#include <fstream>

namespace archgrid::cli {

/// Opens the log that the ctest above this process writes for the tree `root`, after all its tests.
/// Looks among the open files of that ctest: the log's name differs between CTest releases and with
/// `ctest -T Test`, and earlier, killed or concurrent runs of the tree have logs beside it. Throws
/// UsageError if no ctest above has such a log.
std::ifstream open_ctest_log(const std::filesystem::path& root);

}  // namespace archgrid::cli

#endif
