// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracks when the fake GPU completes the work of its streams.
#ifndef ARCHGRID_FAKE_STREAMS_HPP
#define ARCHGRID_FAKE_STREAMS_HPP

#include "machine.hpp"

namespace archgrid::fake_cudart {

/// Reports whether a program may use the stream: it was created and not destroyed, or always
/// exists.
bool is_stream(cudaStream_t stream);

/// Adds work of that duration. It begins when the stream is done and, if the two wait for each
/// other, the legacy default stream.
void add_work(cudaStream_t stream, std::chrono::nanoseconds time);

/// Delays the return of the current call until the stream, or the whole machine, is done. Returns
/// the error of a faulting kernel.
cudaError_t wait_for(cudaStream_t stream);
cudaError_t wait_for_all();

}  // namespace archgrid::fake_cudart

#endif
