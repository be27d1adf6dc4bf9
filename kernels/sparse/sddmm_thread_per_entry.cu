// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SDDMM with one thread per entry, which walks along k. For an A or B that is not contiguous along
// k: adjacent threads read adjacent rows or columns.
#include "sparse/sddmm.cuh"

namespace archgrid::sparse {

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads, 2)
    sddmm_thread_per_entry_kernel(SddmmArguments<Value, StoredIndex> args) {
  const long long entry = static_cast<long long>(blockIdx.x) * product_threads + threadIdx.x;
  if (entry >= args.entries) return;
  store(args, entry, sum_along_k(args, row_of(args, entry, 0), args.column[entry], 0, 1));
}

template <class Value, class StoredIndex>
struct SddmmThreadPerEntry {
  static cudaError_t launch(const Sddmm& p, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((p.entries + product_threads - 1) / product_threads);
    return ptx::launch(sddmm_thread_per_entry_kernel<Value, StoredIndex>, dim3(blocks),
                       dim3(product_threads), 0, stream, arguments_of<Value, StoredIndex>(p));
  }
};

cudaError_t sddmm_thread_per_entry(const Sddmm& p, cudaStream_t stream) {
  return launch_typed<SddmmThreadPerEntry>(p, stream);
}

}  // namespace archgrid::sparse
