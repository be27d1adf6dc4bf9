// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_MEMORY_HPP
#define ARCHGRID_SYSTEM_MEMORY_HPP

#include <cstddef>
#include <memory>

namespace archgrid::system {

/// The size of large pages, which take less time to fill than small ones.
constexpr std::size_t kLargePage = std::size_t{2} << 20;

struct FreePages {
  void operator()(char* pages) const;
};
using Pages = std::unique_ptr<char, FreePages>;

/// Returns uninitialised memory at the beginning of a large page, with large pages if the system
/// has them. `size` is a multiple of kLargePage. Throws std::bad_alloc.
Pages allocate_pages(std::size_t size);

/// Keeps freed memory in the process: memory that returns to the system is zeroed when allocated
/// again, and large files allocate and free hundreds of megabytes.
void keep_freed_memory();

}  // namespace archgrid::system

#endif
