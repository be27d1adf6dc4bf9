// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <io.h>
#include <windows.h>

#include <archgrid/system/terminal.hpp>

namespace archgrid::system {

bool is_terminal(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)), &mode) != 0;
}

std::size_t terminal_columns(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO screen = {};
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  if (GetConsoleScreenBufferInfo(handle, &screen) == 0) return 0;
  return static_cast<std::size_t>(screen.srWindow.Right - screen.srWindow.Left + 1);
}

void write_unbuffered(int descriptor, std::string_view text) {
  _write(descriptor, text.data(), static_cast<unsigned>(text.size()));
}

}  // namespace archgrid::system
