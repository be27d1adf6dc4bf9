// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_HOST_GUARD_HPP
#define ARCHGRID_CLI_HOST_GUARD_HPP

#include <archgrid/archive.hpp>
#include <archgrid/coverage.hpp>
#include <memory>

namespace archgrid::cli {

/// The host code of audited files.
class HostFiles {
 public:
  HostFiles();

  /// Keeps the bytes of a member of an archive as long as there is plenty of room, so that guard()
  /// need not unpack it again.
  void keep(const std::string& path, const archive::Contents& contents);

  /// Returns a guard that follows the host code of the files. It works only when it is asked about
  /// a kernel; a terminal shows that.
  [[nodiscard]] coverage::HostGuard guard() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace archgrid::cli

#endif
