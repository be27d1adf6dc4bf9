// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "arch_variable.hpp"

#include <regex>

namespace archgrid::project {

bool chooses_archs(const std::string& name) {
  static const std::regex words(
      "(cuda|nvcc|gpu|compute|torch)((.*_)?arch|.*(capabilit|_cc(_|$)|_sm|gencode|compute_ver))|"
      "compute_capabilit|gencode",
      std::regex::icase);
  return std::regex_search(name, words);
}

std::string placeholder_for(const std::string& name, const std::string& value) {
  static const std::regex capability("(^|[; ,])[0-9]+\\.[0-9]");
  static const std::regex gencode("gencode$", std::regex::icase);
  if (name == "TORCH_CUDA_ARCH_LIST") return "@CAPABILITIES_SPACE@";
  if (value.find("gencode") != std::string::npos || std::regex_search(name, gencode)) {
    return "@GENCODE@";
  }
  if (value.find("sm_") != std::string::npos) return "@SM@";
  return std::regex_search(value, capability) ? "@REAL_CAPABILITIES@" : "@ARCHS@";
}

}  // namespace archgrid::project
