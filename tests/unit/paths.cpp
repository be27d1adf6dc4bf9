// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "paths.hpp"

namespace archgrid::tests {

const char* const kCommand = ARCHGRID_COMMAND;
const bool kCommandIsSanitized = ARCHGRID_COMMAND_IS_SANITIZED;
const char* const kSource = ARCHGRID_SOURCE;
const char* const kSamples = ARCHGRID_SAMPLES;

}  // namespace archgrid::tests
