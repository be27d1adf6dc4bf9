// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The driver's rules: which code loads on a device.
#ifndef ARCHGRID_COVERAGE_LOAD_RULES_HPP
#define ARCHGRID_COVERAGE_LOAD_RULES_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <tuple>
#include <vector>

namespace archgrid::coverage {

/// The answer of sass_loads(), which reports whether machine code for `arch` loads on `device`.
/// `unsure`: sources disagree about code for a lower minor version if one of the two is integrated,
/// and about a renamed arch.
enum class Loads { no, unsure, yes };
Loads sass_loads(fatbin::Arch arch, ComputeCapability device);

/// Reports whether host code of `file` can run beside a GPU of the table: an x86-64 program never
/// meets a GPU that exists only on Arm boards.
bool may_meet(const fatbin::File& file, const Architecture& gpu);

/// Returns the rank of an image: the driver picks the loadable image with the highest one. Code for
/// the device's own number ranks first, then the closest lower number; for one number, `a` before
/// `f` before plain.
std::tuple<int, int> load_priority(fatbin::Arch arch);

/// Reports whether PTX for `arch` can be compiled for `device`.
bool ptx_reaches(fatbin::Arch arch, ComputeCapability device);

/// Reports whether the contents of PTX affect any of the devices, in a registered module with these
/// images. They do not if machine code is sure to load, even if that lacks the kernel.
bool needs_ptx(const std::vector<const fatbin::Image*>& images,
               const std::vector<ComputeCapability>& devices);

}  // namespace archgrid::coverage

#endif
