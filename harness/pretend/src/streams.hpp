// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// When the pretended GPU is done with what streams were given.
#ifndef ARCHGRID_PRETEND_STREAMS_HPP
#define ARCHGRID_PRETEND_STREAMS_HPP

#include "machine.hpp"

namespace archgrid::pretend {

/// Whether a program may use it: made and not destroyed, or one of those that always are.
bool is_stream(cudaStream_t stream);

/// Adds work of that duration, which begins when the stream, and the legacy default stream where
/// the two wait for each other, are done.
void add_work(cudaStream_t stream, std::chrono::nanoseconds time);

/// The call that runs returns when the stream (all of them: the machine) is done, with the error of
/// a kernel that has run wild.
cudaError_t wait_for(cudaStream_t stream);
cudaError_t wait_for_all();

}  // namespace archgrid::pretend

#endif
