// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings about promised drivers that do not load a file, or do not support a GPU.
#ifndef ARCHGRID_COVERAGE_DRIVER_NOTES_HPP
#define ARCHGRID_COVERAGE_DRIVER_NOTES_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// Checks the drivers of promises that apply to a kernel of the file: they have to load it.
void note_old_drivers(const fatbin::File& file, const std::vector<Promise>& promises,
                      const Request& request, Audit& result);

/// Drops driver-too-old for files whose kernels are in another file that the driver loads: host
/// code picks among variants.
void explain_variants(const Request& request, Audit& result);

/// Finds drivers of the promises that do not support a promised device.
void note_unknown_gpus(const std::vector<Promise>& promises, const Request& request, Audit& result);

}  // namespace archgrid::coverage

#endif
