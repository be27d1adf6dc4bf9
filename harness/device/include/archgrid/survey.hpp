// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
// Asks the CUDA runtime that this is compiled against and linked with.
#ifndef ARCHGRID_SURVEY_HPP
#define ARCHGRID_SURVEY_HPP

#include <archgrid/device.hpp>

namespace archgrid::device {

/// The version of the runtime that is linked; 0 if it would not say (those before CUDA 12 do not
/// without a driver).
int linked_runtime_version();

/// The machine as the runtime sees it. Starts CUDA: whatever environment it is to see must be set.
/// An error that it leaves behind in the runtime is cleared.
Machine survey();

}  // namespace archgrid::device

#endif
