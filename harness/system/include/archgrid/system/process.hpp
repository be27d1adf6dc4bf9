// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_PROCESS_HPP
#define ARCHGRID_SYSTEM_PROCESS_HPP

#include <ctime>
#include <filesystem>
#include <string>

namespace archgrid::system {

/// Prepares the process before its first output: exceeding a limit of the file size becomes an
/// error like a full disk; a Windows console shows UTF-8 and colours, and files get the bytes that
/// are written.
void prepare_process();

int process_id();
int parent_process_id();

/// Returns the path of this program, on POSIX systems with links resolved; empty if the system
/// does not say it.
std::filesystem::path own_executable();

/// Returns the processor as Linux names it in wheels and `uname -m`: "x86_64".
std::string machine_name();

/// Reports whether NVIDIA's GPUs work on this system: not on macOS, whose packages have no code for
/// them.
bool may_have_gpus();

/// Reports whether scripts for a POSIX shell run on this system.
bool has_shell();

void set_environment(const char* name, const std::string& value);
void unset_environment(const char* name);

/// Returns a time in UTC.
std::tm utc_time(std::time_t time);

}  // namespace archgrid::system

#endif
