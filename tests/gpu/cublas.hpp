// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS and cuBLASLt as peers in benchmarks, if their libraries are installed. They are loaded at
// run time, so builds do not need them.
#ifndef ARCHGRID_TESTS_GPU_CUBLAS_HPP
#define ARCHGRID_TESTS_GPU_CUBLAS_HPP

#include <cuda_runtime_api.h>

#include <archgrid/cuda/device_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "gemm/problem.h"
#include "library.hpp"

namespace archgrid::gemm {

/// Another library that multiplies matrices.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual long long version() const = 0;
  /// Launches the product. Returns the library's status, 0 for success.
  virtual int multiply(const Problem& p, cudaStream_t stream) = 0;

  static constexpr int not_supported = 15;  // CUBLAS_STATUS_NOT_SUPPORTED
};

namespace detail {

// Values of library_types.h (cudaDataType_t).
inline int data_type(Type type) {
  switch (type) {
    case Type::f32:
      return 0;
    case Type::f64:
      return 1;
    case Type::f16:
      return 2;
    case Type::s8:
      return 3;
    case Type::s32:
      return 10;
    case Type::bf16:
      return 14;
    case Type::e4m3:
      return 28;
    case Type::e5m2:
      return 29;
  }
  return -1;
}

constexpr int compute_32f = 68;  // CUBLAS_COMPUTE_32F

}  // namespace detail

/// cublasGemmEx, for all types but 8-bit floating-point ones.
class Cublas : public Peer {
 public:
  /// Throws std::runtime_error if there is no library with that name, or if it cannot be used.
  explicit Cublas(const std::string& file) {
    const Library library(file);
    int (*create)(void**) = nullptr;
    int (*get_version)(void*, int*) = nullptr;
    int (*set_math_mode)(void*, int) = nullptr;
    library.find(create, "cublasCreate_v2");
    library.find(destroy_, "cublasDestroy_v2");
    library.find(set_stream_, "cublasSetStream_v2");
    library.find(gemm_, "cublasGemmEx");
    library.find(get_version, "cublasGetVersion_v2");
    library.find(set_math_mode, "cublasSetMathMode");
    throw_on_status("cublasCreate", create(&handle_));
    throw_on_status("cublasGetVersion", get_version(handle_, &version_));
    // CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: sums of parts of K keep their 32 bits.
    constexpr int whole_sums = 16;
    throw_on_status("cublasSetMathMode", set_math_mode(handle_, whole_sums));
  }
  static const char* file_name() { return "libcublas.so"; }
  std::string name() const override { return "cublas"; }
  long long version() const override { return version_; }
  ~Cublas() override { destroy_(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  int multiply(const Problem& p, cudaStream_t stream) override {
    if (const int status = set_stream_(handle_, stream)) return status;
    // cuBLAS's matrices are column-major: C^T = B^T * A^T.
    const int transpose_b = p.b.layout == Layout::row ? 0 : 1;
    const int transpose_a = p.a.layout == Layout::row ? 0 : 1;
    const Scalar alpha(p.alpha, p.input);
    const Scalar beta(p.beta, p.input);
    constexpr int default_algorithm = -1;
    return gemm_(handle_, transpose_b, transpose_a, p.n, p.m, p.k, alpha.data(), p.b.data,
                 detail::data_type(p.input), static_cast<int>(p.b.leading), p.a.data,
                 detail::data_type(p.input), static_cast<int>(p.a.leading), beta.data(), p.c.data,
                 detail::data_type(p.output), static_cast<int>(p.c.leading), compute_type(p),
                 default_algorithm);
  }

 private:
  /// A factor in the type of the sums of `input`.
  class Scalar {
   public:
    Scalar(double value, Type input) : input_(input), f64_(value) {
      f32_ = static_cast<float>(value);
      s32_ = static_cast<int>(value);
    }
    const void* data() const {
      if (input_ == Type::f64) return &f64_;
      return input_ == Type::s8 ? static_cast<const void*>(&s32_) : &f32_;
    }

   private:
    Type input_;
    double f64_;
    float f32_;
    int s32_;
  };

  // cublasComputeType_t (cublas_api.h).
  static int compute_type(const Problem& p) {
    if (p.input == Type::f64) return 70;
    if (p.input == Type::s8) return 72;
    return p.input == Type::f32 && p.allow_tf32 ? 77 : detail::compute_32f;
  }

  void* handle_ = nullptr;
  int version_ = 0;
  int (*destroy_)(void*) = nullptr;
  int (*set_stream_)(void*, cudaStream_t) = nullptr;
  int (*gemm_)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int,
               int, const void*, void*, int, int, int, int) = nullptr;
};

/// cublasLtMatmul, for 8-bit floating-point types, with A row-major and B column-major. Selects its
/// algorithm for the first problem, and supports only that one.
class CublasLt : public Peer {
 public:
  /// Throws like Cublas().
  explicit CublasLt(const std::string& file) : workspace_(workspace_bytes) {
    const Library library(file);
    library.find(destroy_, "cublasLtDestroy");
    library.find(create_description_, "cublasLtMatmulDescCreate");
    library.find(set_description_, "cublasLtMatmulDescSetAttribute");
    library.find(create_layout_, "cublasLtMatrixLayoutCreate");
    library.find(create_preference_, "cublasLtMatmulPreferenceCreate");
    library.find(set_preference_, "cublasLtMatmulPreferenceSetAttribute");
    library.find(choose_, "cublasLtMatmulAlgoGetHeuristic");
    library.find(multiply_, "cublasLtMatmul");
    std::size_t (*get_version)() = nullptr;
    library.find(get_version, "cublasLtGetVersion");
    version_ = static_cast<long long>(get_version());
    int (*create)(void**) = nullptr;
    library.find(create, "cublasLtCreate");
    throw_on_status("cublasLtCreate", create(&handle_));
  }
  static const char* file_name() { return "libcublasLt.so"; }
  std::string name() const override { return "cublaslt"; }
  long long version() const override { return version_; }
  ~CublasLt() override { destroy_(handle_); }
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  int multiply(const Problem& p, cudaStream_t stream) override {
    if (!is_chosen_) {
      if (const int status = choose(p)) return status;
      is_chosen_ = true;
    }
    const float alpha = static_cast<float>(p.alpha);
    const float beta = static_cast<float>(p.beta);
    return multiply_(handle_, description_, &alpha, p.b.data, b_, p.a.data, a_, &beta, p.c.data, c_,
                     p.c.data, c_, chosen_.algorithm, workspace_.data(), workspace_bytes, stream);
  }

 private:
  static constexpr std::size_t workspace_bytes = 32 << 20;

  // cublasLtMatmulHeuristicResult_t.
  struct Chosen {
    std::uint64_t algorithm[8];
    std::size_t workspace_bytes;
    int status;
    float waves;
    int reserved[4];
  };

  // Selects an algorithm for the transposed product, C^T = B^T * A^T. Every device with such
  // numbers supports column-major matrices, the first one transposed. The objects created here live
  // as long as the program.
  int choose(const Problem& p) {
    constexpr int r_32f = 0;
    constexpr int transpose_first = 3;  // CUBLASLT_MATMUL_DESC_TRANSA
    constexpr int max_workspace = 1;    // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
    const int transposed = 1;
    const int input = detail::data_type(p.input);
    throw_on_status("cublasLtMatmulDescCreate",
                    create_description_(&description_, detail::compute_32f, r_32f));
    throw_on_status(
        "cublasLtMatmulDescSetAttribute",
        set_description_(description_, transpose_first, &transposed, sizeof transposed));
    create_layout(&b_, input, p.k, p.n, p.b.leading);
    create_layout(&a_, input, p.k, p.m, p.a.leading);
    create_layout(&c_, detail::data_type(p.output), p.n, p.m, p.c.leading);
    void* preference = nullptr;
    throw_on_status("cublasLtMatmulPreferenceCreate", create_preference_(&preference));
    throw_on_status(
        "cublasLtMatmulPreferenceSetAttribute",
        set_preference_(preference, max_workspace, &workspace_bytes, sizeof workspace_bytes));
    int found = 0;
    const int status =
        choose_(handle_, description_, b_, a_, c_, c_, preference, 1, &chosen_, &found);
    if (status != 0) return status;
    return found == 0 ? not_supported : chosen_.status;
  }

  void create_layout(void** layout, int type, int rows, int columns, long long leading) const {
    throw_on_status("cublasLtMatrixLayoutCreate",
                    create_layout_(layout, type, static_cast<std::uint64_t>(rows),
                                   static_cast<std::uint64_t>(columns), leading));
  }

  DeviceBuffer<unsigned char> workspace_;
  void* handle_ = nullptr;
  void* description_ = nullptr;
  void* a_ = nullptr;
  void* b_ = nullptr;
  void* c_ = nullptr;
  Chosen chosen_{};
  bool is_chosen_ = false;
  long long version_ = 0;
  int (*destroy_)(void*) = nullptr;
  int (*create_description_)(void**, int compute, int scale) = nullptr;
  int (*set_description_)(void*, int attribute, const void* value, std::size_t bytes) = nullptr;
  int (*create_layout_)(void**, int type, std::uint64_t rows, std::uint64_t columns,
                        std::int64_t leading) = nullptr;
  int (*create_preference_)(void**) = nullptr;
  int (*set_preference_)(void*, int attribute, const void* value, std::size_t bytes) = nullptr;
  int (*choose_)(void*, void* description, void* a, void* b, void* c, void* d, void* preference,
                 int wanted, Chosen*, int* found) = nullptr;
  int (*multiply_)(void*, void* description, const void* alpha, const void* a, void* a_layout,
                   const void* b, void* b_layout, const void* beta, const void* c, void* c_layout,
                   void* d, void* d_layout, const void* algorithm, void* workspace,
                   std::size_t workspace_bytes, cudaStream_t) = nullptr;
};

/// Returns the library that multiplies such matrices, or null with `reason` if none is installed.
inline std::unique_ptr<Peer> peer_for(const Problem& p, std::string* reason) {
  const bool is_small_float = bytes_of(p.input) == 1 && p.input != Type::s8;
  return is_small_float ? newest<CublasLt, Peer>(reason) : newest<Cublas, Peer>(reason);
}

}  // namespace archgrid::gemm

#endif
