// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS as the peer of benchmarks, where its library is on the machine: it is found at run time,
// so that nothing here needs it to be built.
#ifndef ARCHGRID_TESTS_GPU_CUBLAS_HPP
#define ARCHGRID_TESTS_GPU_CUBLAS_HPP

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <memory>
#include <string>

#include "gemm/problem.h"

namespace archgrid::gemm {

class Cublas {
 public:
  /// Null where there is no libcublas for this runtime, or it cannot be used; `reason` says why.
  static std::unique_ptr<Cublas> load(std::string* reason) {
    auto loaded = std::unique_ptr<Cublas>(new Cublas);
    for (const char* file :
         {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
      loaded->library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (loaded->library_ != nullptr) break;
    }
    if (loaded->library_ == nullptr) {
      *reason = "libcublas was not found";
      return nullptr;
    }
    loaded->gemm_ = reinterpret_cast<Gemm>(dlsym(loaded->library_, "cublasGemmEx"));
    loaded->set_stream_ =
        reinterpret_cast<SetStream>(dlsym(loaded->library_, "cublasSetStream_v2"));
    loaded->destroy_ = reinterpret_cast<Destroy>(dlsym(loaded->library_, "cublasDestroy_v2"));
    const auto create = reinterpret_cast<Create>(dlsym(loaded->library_, "cublasCreate_v2"));
    if (create == nullptr || loaded->gemm_ == nullptr || loaded->set_stream_ == nullptr ||
        loaded->destroy_ == nullptr) {
      *reason = "libcublas lacks a function";
      return nullptr;
    }
    if (const int status = create(&loaded->handle_)) {
      *reason = "cublasCreate returned " + std::to_string(status);
      return nullptr;
    }
    return loaded;
  }

  ~Cublas() {
    if (handle_ != nullptr) destroy_(handle_);
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// Whether it multiplies such matrices by this function: 8-bit floating-point ones it does not.
  static bool computes(const Problem& p) {
    return p.input != Type::e4m3 && p.input != Type::e5m2 && p.batches == 1 && p.bias == nullptr &&
           p.activation == Activation::none && p.c.layout == Layout::row;
  }

  /// The same product. Returns cuBLAS's status, 0 for success.
  int multiply(const Problem& p, cudaStream_t stream) const {
    if (const int status = set_stream_(handle_, stream)) return status;
    // cuBLAS's matrices are column-major: C^T = B^T * A^T.
    const int transpose_b = p.b.layout == Layout::row ? 0 : 1;
    const int transpose_a = p.a.layout == Layout::row ? 0 : 1;
    const float alpha_f = static_cast<float>(p.alpha);
    const float beta_f = static_cast<float>(p.beta);
    const int alpha_i = static_cast<int>(p.alpha);
    const int beta_i = static_cast<int>(p.beta);
    const void* alpha = p.input == Type::f64  ? static_cast<const void*>(&p.alpha)
                        : p.input == Type::s8 ? static_cast<const void*>(&alpha_i)
                                              : &alpha_f;
    const void* beta = p.input == Type::f64  ? static_cast<const void*>(&p.beta)
                       : p.input == Type::s8 ? static_cast<const void*>(&beta_i)
                                             : &beta_f;
    constexpr int default_algorithm = -1;
    return gemm_(handle_, transpose_b, transpose_a, p.n, p.m, p.k, alpha, p.b.data,
                 data_type(p.input), static_cast<int>(p.b.leading), p.a.data, data_type(p.input),
                 static_cast<int>(p.a.leading), beta, p.c.data, data_type(p.output),
                 static_cast<int>(p.c.leading), compute_type(p), default_algorithm);
  }

 private:
  using Create = int (*)(void**);
  using Destroy = int (*)(void*);
  using SetStream = int (*)(void*, cudaStream_t);
  using Gemm = int (*)(void*, int, int, int, int, int, const void*, const void*, int, int,
                       const void*, int, int, const void*, void*, int, int, int, int);

  Cublas() = default;

  // Values of cudaDataType_t (library_types.h) and cublasComputeType_t (cublas_api.h).
  static int data_type(Type type) {
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
      default:
        return -1;
    }
  }
  static int compute_type(const Problem& p) {
    if (p.input == Type::f64) return 70;
    if (p.input == Type::s8) return 72;
    return p.input == Type::f32 && p.allow_tf32 ? 77 : 68;
  }

  void* library_ = nullptr;
  void* handle_ = nullptr;
  Gemm gemm_ = nullptr;
  SetStream set_stream_ = nullptr;
  Destroy destroy_ = nullptr;
};

}  // namespace archgrid::gemm

#endif
