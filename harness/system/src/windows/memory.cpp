// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <archgrid/system/memory.hpp>
#include <new>

namespace archgrid::system {

void FreePages::operator()(char* pages) const {
  _aligned_free(pages);
}

Pages allocate_pages(std::size_t size) {
  Pages pages(static_cast<char*>(_aligned_malloc(size, kLargePage)));
  if (!pages) throw std::bad_alloc();
  return pages;
}

void keep_freed_memory() {}

}  // namespace archgrid::system
