// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a 2:4 sparse matrix and a dense matrix on a GPU. In a 2:4 matrix at most two of each
// four adjacent elements of a row are nonzero; fours begin at multiples of four. Tensor cores from
// 8.0 on multiply only these two, twice as fast.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gemm/problem.h"
#include "sparse/formats.h"
#include "sparse/spmm.h"

namespace archgrid::sparse {

// A dense matrix of rows x k elements of f16, bf16 or s8, which is 2:4 or will be pruned to 2:4.
template <class Pointer>
struct DenseRows {
  gemm::Type type = gemm::Type::f16;
  int rows = 0;
  int k = 0;
  Dense<Pointer> elements;
};

// Keeps the two elements of the largest magnitude of each four, the first ones if equal, and sets
// the others to zero. NaN counts as larger than all numbers. `to` may be `from`; otherwise they
// share no element. Returns cudaErrorInvalidValue if an argument is invalid, otherwise the error of
// a launch.
cudaError_t prune(const DenseRows<const void*>& from, const DenseRows<void*>& to,
                  cudaStream_t stream);
// Returns why prune() refuses its arguments (host-side checks only), or an empty string.
std::string validate_prune(const DenseRows<const void*>& from, const DenseRows<void*>& to);

// Finds the first four with more than two nonzero elements, in the order of rows, and of columns
// within a row. Waits for the stream. `workspace` is at least check_2_4_bytes of device memory,
// aligned to 8 bytes. Returns cudaErrorInvalidValue if an argument is invalid, with the reason in
// `format_error`, otherwise the error of the runtime.
cudaError_t check(const DenseRows<const void*>& matrix, void* workspace,
                  std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream);
constexpr std::size_t check_2_4_bytes = 8;
// Returns why check() refuses its arguments, or an empty string.
std::string validate_check(const DenseRows<const void*>& matrix, const void* workspace,
                           std::size_t workspace_bytes);

// A 2:4 matrix in device memory. Rows are padded with zeros to padded_k() columns. Two elements of
// each four columns are stored, with four bits of metadata: the index of the first in bits 0 and 1,
// and the larger index of the second in bits 2 and 3. Byte b of a row's metadata describes the
// columns from 8 * b on, its low half the first four.
struct Structured {
  gemm::Type type = gemm::Type::f16;
  int rows = 0;
  int k = 0;
  void* value = nullptr;     // [rows][padded_k / 2], aligned to 16 bytes
  void* metadata = nullptr;  // [rows][padded_k / 8] bytes, aligned to 8 bytes
};

// Returns `k` rounded up to a multiple of 64 bytes, or the size of an array in bytes; 0 for invalid
// extents.
int padded_k(gemm::Type type, int k);
std::size_t value_bytes(gemm::Type type, int rows, int k);
std::size_t metadata_bytes(gemm::Type type, int rows, int k);

// Stores two of each four elements of a matrix. If the matrix is not 2:4, writes the first place to
// `format_error`, like check(), and the stored matrix is invalid. `to` shares no memory with
// `from`. Waits for the stream. Workspace and return value are as for check().
cudaError_t compress(const DenseRows<const void*>& from, const Structured& to, void* workspace,
                     std::size_t workspace_bytes, FormatError* format_error, cudaStream_t stream);
// Returns why compress() refuses its arguments (host-side checks only), or an empty string.
std::string validate_compress(const DenseRows<const void*>& from, const Structured& to,
                              const void* workspace, std::size_t workspace_bytes);

// Returns why a product is invalid (host-side checks only), or an empty string.
//
// The product is C = activation(alpha * A * B + beta * C + bias), like the dense product of
// archgrid::gemm. problem.a is ignored. m, k and input must be those of A, and batches must be 1.
// Elements that A does not store are not multiplied: infinity in B there adds no NaN. With
// alpha = 0, neither B nor A's value and metadata are read.
std::string validate(const Structured& a, const gemm::Problem& problem);

struct StructuredVariant {
  const char* name;
  gemm::Type type;
  // Launches the product. The result is bitwise reproducible. Returns cudaErrorInvalidValue if the
  // product is invalid or of another type, otherwise the error of a launch. Null if this build
  // omits the variant.
  cudaError_t (*launch)(const Structured&, const gemm::Problem&, cudaStream_t);
  // Returns cudaSuccess if the current device can run it.
  cudaError_t (*is_loadable)();
};

const std::vector<StructuredVariant>& structured_variants();
// Returns the variant with that name, or null.
const StructuredVariant* find_structured_variant(const std::string& name);

// A choice with its reason. If no variant can multiply, `variant` is null, and `reason` says what
// each variant lacks.
struct StructuredChoice {
  const StructuredVariant* variant = nullptr;
  std::string reason;
};

// Picks a variant for a device (80 for 8.0), among those that the binary has for it according to
// `has`.
StructuredChoice choose(gemm::Type type, int device, bool (*has)(const StructuredVariant&));
// Picks for the current device and the running binary.
StructuredChoice choose(gemm::Type type);

}  // namespace archgrid::sparse
