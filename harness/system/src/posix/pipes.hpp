// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_PIPES_HPP
#define ARCHGRID_SYSTEM_PIPES_HPP

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

extern char** environ;

namespace archgrid::system {

/// Makes a pipe that no child inherits. Returns whether that succeeded; sets errno otherwise.
inline bool make_pipe(std::array<int, 2>& ends) {
#ifdef __linux__
  return ::pipe2(ends.data(), O_CLOEXEC) == 0;
#else
  if (::pipe(ends.data()) != 0) return false;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

/// Reads a descriptor to its end, or to an error.
inline std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const auto count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace archgrid::system

#endif
