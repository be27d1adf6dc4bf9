// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)
KERNEL(other)
KERNEL(optional)
KERNEL(owned)
KERNEL(shared)

struct Cache {
  int rows;
  bool is_ready;
  bool is_retired;
};

/// Returns the cache of a layer, with all flags clear where it is new.
EXPORTED Cache* find(int layer);

ALONE static bool build(Cache* cache, int rows) {
  if (queried_major() < 8) return false;
  cache->rows = rows;
  cache->is_ready = true;
  return true;
}

// It sets the flag on each GPU.
ALONE static void build_plainly(Cache* cache, int rows) {
  if (queried_major() >= 8) cache->rows = rows;
  cache->is_ready = true;
}

EXPORTED void launch_guarded(int rows) {
  auto* cache = find(0);
  if (!cache->is_ready && !build(cache, rows)) return other(rows);
  guarded(cache->rows);
}

EXPORTED void launch_retired(int rows) {
  auto* cache = find(0);
  if (!cache->is_retired && !build(cache, rows)) return;
  other(cache->rows);
}

EXPORTED void launch(int rows) {
  auto* cache = find(1);
  if (!cache->is_ready) build_plainly(cache, rows);
  if (cache->is_ready) kernel(cache->rows);
}

struct Options {
  int rows;
  bool is_fast;  // at the offset of Cache::is_ready
};

EXPORTED void launch_optional(const Options* options, int rows) {
  build(find(2), rows);
  if (options->is_fast) optional(rows);
}

struct Layer {
  Cache* cache;
};

EXPORTED void launch_owned(const Layer* layer, int rows) {
  if (!layer->cache->is_ready) build(layer->cache, rows);
  if (layer->cache->is_ready) owned(rows);
}

struct Caches {
  Cache* newest;
  Cache* found;  // may be the newest one
};

EXPORTED void launch_shared(const Caches* caches, int rows) {
  if (!caches->newest->is_ready) build(caches->newest, rows);
  if (caches->found->is_ready) shared(rows);
}
