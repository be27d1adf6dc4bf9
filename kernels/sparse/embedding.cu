// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "ptx/launch.cuh"
#include "sparse/embedding.h"
#include "sparse/scan.h"
#include "sparse/validate.h"

namespace archgrid::sparse {
namespace {

constexpr int pool_threads = 256;
constexpr int pool_warps = pool_threads / 32;
constexpr int pool_elements = 4;  // per lane at a time
constexpr int pool_columns = 32 * pool_elements;

}  // namespace

template <class Index>
struct EmbeddingArguments {
  int bags, bags_per_feature, width;
  bool is_mean;
  const std::int64_t* bag_begins;  // [bags + 1]
  const Index* indices;
  const float* weights;
  const float* const* tables;
  const std::int64_t* rows;
  float* pooled;
};

// Pools a bag per warp, for a piece of the width of its rows. The lanes load 32 indices together,
// then read one row after another.
template <class Index>
__global__ void __launch_bounds__(pool_threads) embedding_pool(EmbeddingArguments<Index> args) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int bag = static_cast<int>(blockIdx.x) * pool_warps + static_cast<int>(threadIdx.x) / 32;
  if (bag >= args.bags) return;
  const int first_column = static_cast<int>(blockIdx.y) * pool_columns + lane;
  const int feature = bag / args.bags_per_feature;
  const float* const table = args.tables[feature];
  const auto rows = static_cast<unsigned long long>(args.rows[feature]);
  const std::int64_t begin = args.bag_begins[bag];
  const std::int64_t end = args.bag_begins[bag + 1];

  float sum[pool_elements] = {};
  for (std::int64_t first = begin; first < end; first += 32) {
    const std::int64_t mine = first + lane;
    const unsigned long long index = mine < end ? args.indices[mine] : ~0ull;
    const float weight = args.weights != nullptr && mine < end ? args.weights[mine] : 1.0f;
    const int together = end - first < 32 ? static_cast<int>(end - first) : 32;
    for (int i = 0; i < together; ++i) {
      const unsigned long long row = __shfl_sync(ptx::all_lanes, index, i);
      const float factor = __shfl_sync(ptx::all_lanes, weight, i);
      if (row >= rows) continue;
      const float* const from = table + row * static_cast<unsigned long long>(args.width);
#pragma unroll
      for (int e = 0; e < pool_elements; ++e) {
        const int column = first_column + e * 32;
        if (column < args.width) sum[e] = fmaf(factor, from[column], sum[e]);
      }
    }
  }
  const float count = static_cast<float>(end - begin);
#pragma unroll
  for (int e = 0; e < pool_elements; ++e) {
    const int column = first_column + e * 32;
    if (column >= args.width) continue;
    args.pooled[static_cast<long long>(bag) * args.width + column] =
        args.is_mean && end > begin ? sum[e] / count : sum[e];
  }
}

namespace {

template <class Index>
cudaError_t launch(const EmbeddingLookup& p, const std::int64_t* bag_begins, cudaStream_t stream) {
  const EmbeddingArguments<Index> args{p.bags,     p.bags / p.features,
                                       p.width,    p.pooling == Pooling::mean,
                                       bag_begins, static_cast<const Index*>(p.indices),
                                       p.weights,  p.tables,
                                       p.rows,     p.pooled};
  const auto blocks = static_cast<unsigned>(p.bags / pool_warps + (p.bags % pool_warps != 0));
  const auto pieces = static_cast<unsigned>((p.width + pool_columns - 1) / pool_columns);
  return ptx::launch(embedding_pool<Index>, dim3(blocks, pieces), dim3(pool_threads), 0, stream,
                     args);
}

// Returns an error message for invalid arrays, or an empty string. Cannot check the tables, whose
// addresses and sizes are only in device memory.
std::string validate_arrays(const EmbeddingLookup& p) {
  const std::size_t length = bytes_of(p.length_type);
  const std::size_t index = bytes_of(p.index_type);
  const long long weights = p.weights == nullptr ? 0 : p.count;
  const long long features = p.bags > 0 ? p.features : 0;
  const long long results = 1ll * p.bags * p.width;
  const std::string reason =
      first_of({validate_array("lengths", p.lengths, p.bags, length),
                validate_array("indices", p.indices, p.count, index),
                validate_array("weights", p.weights, weights, sizeof(float)),
                validate_array("tables", p.tables, features, alignof(const float*)),
                validate_array("rows", p.rows, features, alignof(std::int64_t)),
                validate_array("pooled", p.pooled, results, alignof(float))});
  if (!reason.empty()) return reason;
  const Footprint pooled = footprint_of(p.pooled, results, sizeof(float));
  return first_of(
      {validate_disjoint("pooled", pooled, "lengths", footprint_of(p.lengths, p.bags, length)),
       validate_disjoint("pooled", pooled, "indices", footprint_of(p.indices, p.count, index)),
       validate_disjoint("pooled", pooled, "weights",
                         footprint_of(p.weights, weights, sizeof(float))),
       validate_disjoint("pooled", pooled, "tables",
                         footprint_of(p.tables, features, sizeof(const float*))),
       validate_disjoint("pooled", pooled, "rows",
                         footprint_of(p.rows, features, sizeof(std::int64_t)))});
}

}  // namespace

std::string validate(const EmbeddingLookup& p) {
  constexpr int max_width = 65535 * pool_columns;  // limit of the grid's second dimension
  const std::string extents = validate_features(p.features, p.bags, p.count);
  if (!extents.empty()) return extents;
  if (p.width < 1 || p.width > max_width) {
    return "rows have 1 to " + std::to_string(max_width) + " elements, not " +
           std::to_string(p.width);
  }
  if (p.bags > 0 && (p.features == 0 || p.bags % p.features != 0)) {
    return std::to_string(p.bags) + " bags do not make as many for each of " +
           std::to_string(p.features) + " features";
  }
  if (p.count > 0 && p.bags == 0) return "there are indices, and no bag";
  return validate_arrays(p);
}

std::size_t workspace_bytes(const EmbeddingLookup& p) {
  if (!validate_features(p.features, p.bags, p.count).empty()) return 0;
  return sizeof(std::int64_t) * (static_cast<std::size_t>(p.bags) + 1) +
         scan_workspace_bytes(p.bags);
}

std::string validate(const EmbeddingLookup& p, const void* workspace, std::size_t given) {
  return first_of({validate(p), validate_workspace(workspace, given, workspace_bytes(p))});
}

cudaError_t look_up(const EmbeddingLookup& p, void* memory, std::size_t bytes,
                    cudaStream_t stream) {
  if (!validate(p, memory, bytes).empty()) return cudaErrorInvalidValue;
  if (p.bags == 0) return cudaSuccess;
  auto* const bag_begins = static_cast<std::int64_t*>(memory);
  std::int64_t* const scan = bag_begins + p.bags + 1;
  const std::size_t bytes_before = sizeof *scan * (static_cast<std::size_t>(p.bags) + 1);
  const cudaError_t error = exclusive_scan(p.lengths, p.length_type, p.bags, bag_begins, scan,
                                           bytes - bytes_before, stream);
  if (error != cudaSuccess) return error;
  return p.index_type == Integer::i32 ? launch<unsigned>(p, bag_begins, stream)
                                      : launch<unsigned long long>(p, bag_begins, stream);
}

}  // namespace archgrid::sparse
