// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>
#include <unistd.h>

#include <archgrid/system/process.hpp>
#include <csignal>
#include <cstdlib>
#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace archgrid::system {

namespace fs = std::filesystem;

void prepare_process() {
  std::signal(SIGXFSZ, SIG_IGN);
}

int process_id() {
  return ::getpid();
}

int parent_process_id() {
  return ::getppid();
}

fs::path own_executable() {
  std::error_code error;
#ifdef __APPLE__
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  if (::_NSGetExecutablePath(name.data(), &size) != 0) return {};
  const auto self = fs::canonical(name.c_str(), error);
#else
  const auto self = fs::read_symlink("/proc/self/exe", error);
#endif
  return error ? fs::path() : self;
}

std::string machine_name() {
  struct utsname machine = {};
  ::uname(&machine);
  return machine.machine;
}

bool may_have_gpus() {
#ifdef __APPLE__
  return false;
#else
  return true;
#endif
}

bool has_shell() {
  return true;
}

void set_environment(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

void unset_environment(const char* name) {
  ::unsetenv(name);
}

std::tm utc_time(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return parts;
}

}  // namespace archgrid::system
