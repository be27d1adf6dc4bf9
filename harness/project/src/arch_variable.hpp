// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Recognises variables of a project's own that choose its archs.
#ifndef ARCHGRID_PROJECT_ARCH_VARIABLE_HPP
#define ARCHGRID_PROJECT_ARCH_VARIABLE_HPP

#include <string>

namespace archgrid::project {

/// Reports whether a variable chooses archs, by its name: MYLIB_CUDA_ARCHS, COMPUTE_CAPABILITY.
bool chooses_archs(const std::string& name);

/// Returns the placeholder of a matrix file that spells archs as the variable's default does.
std::string placeholder_for(const std::string& name, const std::string& value);

}  // namespace archgrid::project

#endif
