// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <archgrid/system/process.hpp>
#include <archgrid/system/terminal.hpp>
#include <clocale>
#include <cstdlib>

namespace archgrid::system {
namespace {

/// The code page of the console that other programs expect afterwards.
UINT previous_code_page = 0;

void show_colours(DWORD stream) {
  const HANDLE console = GetStdHandle(stream);
  DWORD mode = 0;
  if (GetConsoleMode(console, &mode) == 0) return;
  SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace

void prepare_process() {
  std::setlocale(LC_CTYPE, ".UTF-8");
  _setmode(kStandardOutput, _O_BINARY);
  _setmode(kStandardError, _O_BINARY);
  show_colours(STD_OUTPUT_HANDLE);
  show_colours(STD_ERROR_HANDLE);
  previous_code_page = GetConsoleOutputCP();
  if (previous_code_page == 0 || previous_code_page == CP_UTF8) return;
  SetConsoleOutputCP(CP_UTF8);
  std::atexit([] { SetConsoleOutputCP(previous_code_page); });
}

int process_id() {
  return static_cast<int>(GetCurrentProcessId());
}

int parent_process_id() {
  return 0;
}

std::filesystem::path own_executable() {
  constexpr DWORD kLongest = 32768;
  std::wstring name(kLongest, L'\0');
  const auto size = GetModuleFileNameW(nullptr, name.data(), kLongest);
  if (size == 0 || size == kLongest) return {};
  name.resize(size);
  return name;
}

std::string machine_name() {
  SYSTEM_INFO system = {};
  GetNativeSystemInfo(&system);
  return system.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64" : "x86_64";
}

bool may_have_gpus() {
  return true;
}

bool has_shell() {
  return false;
}

void set_environment(const char* name, const std::string& value) {
  _putenv_s(name, value.c_str());
}

void unset_environment(const char* name) {
  _putenv_s(name, "");
}

std::tm utc_time(std::time_t time) {
  std::tm parts{};
  gmtime_s(&parts, &time);
  return parts;
}

}  // namespace archgrid::system
