// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMV with one thread per row, for short rows.
#include "sparse/spmv.cuh"

namespace archgrid::sparse {

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads)
    spmv_thread_per_row_kernel(SpmvArguments<Value, StoredIndex> args) {
  const long long row = static_cast<long long>(blockIdx.x) * product_threads + threadIdx.x;
  if (row >= args.rows) return;
  typename SumOf<Value>::Type sum = 0;
  const long long end = args.offsets[row + 1];
  for (long long i = args.offsets[row]; i < end; ++i) sum = multiply_add_entry(args, i, sum);
  store(args, row, sum);
}

template <class Value, class StoredIndex>
struct SpmvThreadPerRow {
  static cudaError_t launch(const Spmv& p, void*, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((p.a.rows + product_threads - 1) / product_threads);
    return ptx::launch(spmv_thread_per_row_kernel<Value, StoredIndex>, dim3(blocks),
                       dim3(product_threads), 0, stream, arguments_of<Value, StoredIndex>(p));
  }
};

std::size_t spmv_thread_per_row_workspace_bytes(const Spmv&) {
  return 0;
}
cudaError_t spmv_thread_per_row(const Spmv& p, void* workspace, std::size_t workspace_bytes,
                                cudaStream_t stream) {
  return launch_typed<SpmvThreadPerRow>(p, 0, workspace, workspace_bytes, stream);
}

}  // namespace archgrid::sparse
