// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/system/memory.hpp>
#include <cstdlib>
#include <limits>
#include <new>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace archgrid::system {

void FreePages::operator()(char* pages) const {
  std::free(pages);
}

Pages allocate_pages(std::size_t size) {
  Pages pages(static_cast<char*>(std::aligned_alloc(kLargePage, size)));
  if (!pages) throw std::bad_alloc();
#ifdef __linux__
  // A system without huge pages uses others.
  ::madvise(pages.get(), size, MADV_HUGEPAGE);
#endif
  return pages;
}

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestThatItTakes = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestThatItTakes);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace archgrid::system
