// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The log of the ctest run that started this process.
#ifndef ARCHGRID_CLI_CTEST_LOG_HPP
#define ARCHGRID_CLI_CTEST_LOG_HPP

#include <filesystem>
#include <fstream>

namespace archgrid::cli {

/// Opens the log that the ctest above this process writes for the tree `root`, after all its tests.
/// The file is found among the open files of that ctest: its name differs between releases of
/// CTest and with `ctest -T Test`, and other runs of the tree, earlier ones, killed ones or
/// concurrent ones, have logs beside it. Throws UsageError where no ctest above has such a log.
std::ifstream open_ctest_log(const std::filesystem::path& root);

}  // namespace archgrid::cli

#endif
