// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a toolkit's runtime that are not pretended. No header of CUDA is included: what they
// take does not matter.
#ifndef ARCHGRID_PRETEND_UNSUPPORTED_HPP
#define ARCHGRID_PRETEND_UNSUPPORTED_HPP

namespace archgrid::pretend {

/// cudaErrorNotSupported, or the failure that was asked for; kept for cudaGetLastError.
int answer_unsupported(const char* function);

}  // namespace archgrid::pretend

// The linker takes the definition that is not weak where there is one.
#define ARCHGRID_UNSUPPORTED(name)                       \
  extern "C" __attribute__((weak)) int name();           \
  extern "C" int name() {                                \
    return archgrid::pretend::answer_unsupported(#name); \
  }

#endif
