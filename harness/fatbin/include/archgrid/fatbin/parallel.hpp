// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PARALLEL_HPP
#define ARCHGRID_FATBIN_PARALLEL_HPP

#include <cstddef>
#include <functional>

namespace archgrid {

/// Returns the number of threads that parallel_for() uses for `count` pieces of work: at most one
/// per core.
std::size_t threads_for(std::size_t count);

/// Calls `work(index, thread)` with every index below `count`, started in ascending order, on
/// several threads. Threads are numbered from 0 and include the calling one. If `work` throws, no
/// more work is started, and the first exception is rethrown once all threads have stopped.
void parallel_for(std::size_t count,
                  const std::function<void(std::size_t index, std::size_t thread)>& work);

}  // namespace archgrid

#endif
