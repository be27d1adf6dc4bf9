// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PARALLEL_HPP
#define ARCHGRID_PARALLEL_HPP

#include <cstddef>
#include <functional>

namespace archgrid {

/// How many threads parallel_for() takes for `count` pieces of work: one a core at most.
std::size_t threads_for(std::size_t count);

/// Calls `work(index, thread)` with every index below `count`, begun in ascending order, on several
/// threads, numbered from 0, the calling one among them. When `work` throws no more of it is begun,
/// and the first exception is thrown here when all threads have stopped.
void parallel_for(std::size_t count,
                  const std::function<void(std::size_t index, std::size_t thread)>& work);

}  // namespace archgrid

#endif
