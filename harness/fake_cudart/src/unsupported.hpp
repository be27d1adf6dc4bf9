// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a toolkit's runtime that are not implemented. No CUDA header is included: the
// parameters do not matter.
#ifndef ARCHGRID_FAKE_UNSUPPORTED_HPP
#define ARCHGRID_FAKE_UNSUPPORTED_HPP

namespace archgrid::fake_cudart {

/// Returns cudaErrorNotSupported, or the requested failure, and stores it for cudaGetLastError.
int answer_unsupported(const char* function);

}  // namespace archgrid::fake_cudart

// The linker prefers a definition that is not weak.
#define ARCHGRID_UNSUPPORTED(name)                           \
  extern "C" __attribute__((weak)) int name();               \
  extern "C" int name() {                                    \
    return archgrid::fake_cudart::answer_unsupported(#name); \
  }

#endif
