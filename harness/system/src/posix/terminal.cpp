// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <unistd.h>

#include <archgrid/system/terminal.hpp>

namespace archgrid::system {

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::size_t terminal_columns(int descriptor) {
  winsize size = {};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void write_unbuffered(int descriptor, std::string_view text) {
  [[maybe_unused]] const auto written = ::write(descriptor, text.data(), text.size());
}

}  // namespace archgrid::system
