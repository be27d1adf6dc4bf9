// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "paths.hpp"

namespace archgrid::tests {

const char* const kCommand = ARCHGRID_COMMAND;
const char* const kSource = ARCHGRID_SOURCE;
const char* const kSamples = ARCHGRID_SAMPLES;

}  // namespace archgrid::tests
