// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a 2:4 sparse matrix with a dense one on a GPU. 2:4: of each four neighbours in a row,
// from a multiple of four on, at most two are not zero; tensor cores from 8.0 on multiply those two
// alone, twice as fast.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gemm/problem.h"
#include "sparse/formats.h"
#include "sparse/spmm.h"

namespace archgrid::sparse {

// A dense matrix of rows x k elements, of f16, bf16 or s8, that is 2:4 or is to be.
template <class Pointer>
struct DenseRows {
  gemm::Type type = gemm::Type::f16;
  int rows = 0;
  int k = 0;
  Dense<Pointer> elements;
};

// Leaves of each four the two of the largest magnitude, of equal ones the first, and makes the
// others zero; NaN counts as larger than all. `to` may be `from`, and shares no element with it
// otherwise. Returns cudaErrorInvalidValue where there is a mistake_in() them, else the error of a
// launch.
cudaError_t prune(const DenseRows<const void*>& from, const DenseRows<void*>& to,
                  cudaStream_t stream);
// Why prune() does not take those, as far as the host sees; empty if it does.
std::string mistake_in(const DenseRows<const void*>& from, const DenseRows<void*>& to);

// Finds the first four, by rows and within a row by columns, of which more than two are not zero.
// Waits for the stream. `workspace` is check_2_4_bytes of device memory, or more, at a multiple
// of 8. Returns cudaErrorInvalidValue where there is a mistake_in() what it is given, which it says
// then, else the error of what it calls.
cudaError_t check(const DenseRows<const void*>& matrix, void* workspace,
                  std::size_t workspace_bytes, Mistake* mistake, cudaStream_t stream);
constexpr std::size_t check_2_4_bytes = 8;
// Why check() does not take those; empty if it does.
std::string mistake_in(const DenseRows<const void*>& matrix, const void* workspace,
                       std::size_t workspace_bytes);

// A 2:4 matrix in device memory. Rows are padded with zeros to padded_k() columns. Of each four
// columns two elements are stored, and, as four bits, which they are: the first's index, in bits 0
// and 1, and the second's, which is larger. Byte b of a row's metadata is of the columns from 8 * b
// on, its low half of the first four.
struct Structured {
  gemm::Type type = gemm::Type::f16;
  int rows = 0;
  int k = 0;
  void* value = nullptr;     // [rows][padded_k / 2], from a multiple of 16 bytes on
  void* metadata = nullptr;  // [rows][padded_k / 8] bytes, from a multiple of 8 on
};

// 0 for extents that no matrix has.
int padded_k(gemm::Type type, int k);
std::size_t value_bytes(gemm::Type type, int rows, int k);
std::size_t metadata_bytes(gemm::Type type, int rows, int k);

// Stores a matrix as its two of each four. Where it is not 2:4, `mistake` says where first, as
// check() does, and what is stored is no matrix. `to` shares no memory with `from`. Waits for the
// stream. Needs a workspace, and returns, as check().
cudaError_t compress(const DenseRows<const void*>& from, const Structured& to, void* workspace,
                     std::size_t workspace_bytes, Mistake* mistake, cudaStream_t stream);
// Why compress() does not take those, as far as the host sees; empty if it does.
std::string mistake_in(const DenseRows<const void*>& from, const Structured& to,
                       const void* workspace, std::size_t workspace_bytes);

// C = activation(alpha * A * B + beta * C + bias) as the dense product of archgrid::gemm has it,
// but for A: problem.a is not looked at. Its m, k and input are A's, and it is one product. What A
// does not store multiplies nothing: infinity in B there adds no NaN. With alpha = 0 value and
// metadata are not looked at, as little as B is.
//
// Why that is none, as far as the host sees; empty if it is one.
std::string mistake_in(const Structured& a, const gemm::Problem& problem);

struct StructuredVariant {
  const char* name;
  gemm::Type type;
  // Begins the product. The same result each time, bit for bit. Returns cudaErrorInvalidValue where
  // there is a mistake_in() it, or it is of another type; else the error of a launch. Null where
  // this build left the variant out.
  cudaError_t (*launch)(const Structured&, const gemm::Problem&, cudaStream_t);
  // cudaSuccess where the current device can run it.
  cudaError_t (*is_loadable)();
};

const std::vector<StructuredVariant>& structured_variants();
// The one of that name; null if there is none.
const StructuredVariant* find_structured_variant(const std::string& name);

// `variant` is null where none can multiply, and `reason` then says what each lacks.
struct StructuredChoice {
  const StructuredVariant* variant = nullptr;
  std::string reason;
};

// Picks for a device of that number, as 80 for 8.0, of the variants that `has` says are in the
// binary for it.
StructuredChoice choose(gemm::Type type, int device, bool (*has)(const StructuredVariant&));
// The same for the current device and this binary.
StructuredChoice choose(gemm::Type type);

}  // namespace archgrid::sparse
