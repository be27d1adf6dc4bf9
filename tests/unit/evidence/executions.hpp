// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_EXECUTIONS_HPP
#define ARCHGRID_TESTS_EXECUTIONS_HPP

#include <archgrid/evidence/evidence_file.hpp>
#include <string>

#include "files.hpp"

namespace archgrid::tests {

/// Returns an identity for each letter from a to f.
inline std::string identity(char letter) {
  std::string text(32, '0');
  text.front() = letter;
  return text;
}

/// Returns a kernel whose code has the identity of a letter; none for 0.
inline fatbin::Kernel coded(const std::string& name, char letter) {
  auto result = kernel(name);
  if (letter != 0) result.identity = identity(letter);
  return result;
}

inline coverage::KernelCode code(char letter) {
  return {"sm_90", identity(letter)};
}

inline evidence::Execution execution(const std::string& kernel, const std::string& gpu, char letter,
                                     const std::string& date = "2026-11-01") {
  const auto arch = "sm_" + std::to_string(device(gpu).number());
  return {kernel,
          {arch, identity(letter)},
          {device(gpu), "NVIDIA X", "580.65.06", "t: A.b", "c0ffee", date}};
}

/// Returns a run of a program in which all tests passed.
inline evidence::PassedProgram passed(const std::string& gpu, const std::string& code_hash,
                                      const std::string& date = "2026-11-01") {
  return {"cell/x_test", code_hash, {device(gpu), "NVIDIA X", "580.65.06", "t", "c0ffee", date}};
}

}  // namespace archgrid::tests

#endif
