// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// cuSPARSE as the peer of benchmarks, where its library is on the machine.
#ifndef ARCHGRID_TESTS_GPU_CUSPARSE_HPP
#define ARCHGRID_TESTS_GPU_CUSPARSE_HPP

#include <archgrid/device_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "library.hpp"
#include "sparse/spmv.h"

namespace archgrid::sparse {

/// An algorithm of cusparseSpMV for matrices in rows or, for COO, with a row for each entry.
struct CusparseAlgorithm {
  const char* name;
  int number;  ///< cusparseSpMVAlg_t
  bool is_coo;
};

/// Those that CUDA has had since 11.8.
inline const std::vector<CusparseAlgorithm>& cusparse_algorithms() {
  static const std::vector<CusparseAlgorithm> all = {
      {"csr_alg1", 2, false}, {"csr_alg2", 3, false}, {"coo_alg1", 1, true}, {"coo_alg2", 4, true}};
  return all;
}

class Cusparse {
 public:
  /// Throws std::runtime_error where there is no library of that name, or it cannot be used.
  explicit Cusparse(const std::string& file) {
    const Library library(file);
    int (*create)(void**) = nullptr;
    int (*get_version)(void*, int*) = nullptr;
    library.find(create, "cusparseCreate");
    library.find(get_version, "cusparseGetVersion");
    library.find(set_stream_, "cusparseSetStream");
    library.find(create_csr_, "cusparseCreateCsr");
    library.find(create_coo_, "cusparseCreateCoo");
    library.find(create_vector_, "cusparseCreateDnVec");
    library.find(destroy_matrix_, "cusparseDestroySpMat");
    library.find(destroy_vector_, "cusparseDestroyDnVec");
    library.find(buffer_size_, "cusparseSpMV_bufferSize");
    library.find(multiply_, "cusparseSpMV");
    throw_on_status("cusparseCreate", create(&handle_));
    throw_on_status("cusparseGetVersion", get_version(handle_, &version_));
  }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  static const char* file_name() { return "libcusparse.so"; }
  int version() const { return version_; }

  /// A product with all that it needs, made ready.
  class Product {
   public:
    /// `entry_rows` is, in device memory, the row of each entry, for COO. Throws std::runtime_error
    /// where cuSPARSE does not take it.
    Product(const Cusparse& library, const Spmv& p, const CusparseAlgorithm& algorithm,
            const void* entry_rows)
        : library_(library), algorithm_(algorithm), compute_(data_type(sum_of(p.a.type))) {
      const int index = p.a.index_type == Integer::i32 ? 2 : 3;  // cusparseIndexType_t
      constexpr int base_zero = 0;
      const int value = data_type(p.a.type);
      // Its functions take pointers to what it does not change, too.
      const auto data = [](const void* memory) { return const_cast<void*>(memory); };
      throw_on_status(
          "cusparseCreateCsr or Coo",
          algorithm.is_coo
              ? library.create_coo_(&matrix_, p.a.rows, p.a.columns, p.a.entries, data(entry_rows),
                                    data(p.a.column), data(p.a.value), index, base_zero, value)
              : library.create_csr_(&matrix_, p.a.rows, p.a.columns, p.a.entries, data(p.a.offsets),
                                    data(p.a.column), data(p.a.value), index, index, base_zero,
                                    value));
      throw_on_status("cusparseCreateDnVec",
                      library.create_vector_(&x_, p.a.columns, data(p.x), value));
      throw_on_status("cusparseCreateDnVec", library.create_vector_(&y_, p.a.rows, p.y, compute_));
      alpha_ = scalar(p.alpha, p.a.type);
      beta_ = scalar(p.beta, p.a.type);
      std::size_t bytes = 0;
      throw_on_status("cusparseSpMV_bufferSize",
                      library.buffer_size_(library.handle_, not_transposed, &alpha_, matrix_, x_,
                                           &beta_, y_, compute_, algorithm.number, &bytes));
      buffer_ = std::make_unique<DeviceBuffer<char>>(bytes + 1);
    }
    ~Product() {
      if (y_ != nullptr) library_.destroy_vector_(y_);
      if (x_ != nullptr) library_.destroy_vector_(x_);
      if (matrix_ != nullptr) library_.destroy_matrix_(matrix_);
    }
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    /// Begins it. Returns cuSPARSE's status, 0 for success.
    int run(cudaStream_t stream) const {
      if (const int status = library_.set_stream_(library_.handle_, stream)) return status;
      return library_.multiply_(library_.handle_, not_transposed, &alpha_, matrix_, x_, &beta_, y_,
                                compute_, algorithm_.number, buffer_->data());
    }

   private:
    static constexpr int not_transposed = 0;

    union Scalar {
      float f32;
      double f64;
    };
    static Scalar scalar(double value, Number type) {
      Scalar scalar{};
      if (type == Number::f64) {
        scalar.f64 = value;
      } else {
        scalar.f32 = static_cast<float>(value);
      }
      return scalar;
    }
    // cudaDataType_t (library_types.h).
    static int data_type(Number type) {
      return type == Number::f32 ? 0 : type == Number::f64 ? 1 : 2;
    }

    const Cusparse& library_;
    CusparseAlgorithm algorithm_;
    int compute_;
    void* matrix_ = nullptr;
    void* x_ = nullptr;
    void* y_ = nullptr;
    Scalar alpha_{};
    Scalar beta_{};
    std::unique_ptr<DeviceBuffer<char>> buffer_;
  };

 private:
  void* handle_ = nullptr;  // lives as long as the program
  int version_ = 0;
  int (*set_stream_)(void*, cudaStream_t) = nullptr;
  int (*create_csr_)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                     void* offsets, void* column, void* value, int offset_type, int column_type,
                     int base, int value_type) = nullptr;
  int (*create_coo_)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                     void* row, void* column, void* value, int index_type, int base,
                     int value_type) = nullptr;
  int (*create_vector_)(void**, std::int64_t size, void* values, int type) = nullptr;
  int (*destroy_matrix_)(void*) = nullptr;
  int (*destroy_vector_)(void*) = nullptr;
  int (*buffer_size_)(void*, int operation, const void* alpha, void* matrix, void* x,
                      const void* beta, void* y, int compute, int algorithm,
                      std::size_t* bytes) = nullptr;
  int (*multiply_)(void*, int operation, const void* alpha, void* matrix, void* x, const void* beta,
                   void* y, int compute, int algorithm, void* buffer) = nullptr;
};

/// The newest that can be used; null, and `reason`, where there is none.
inline std::unique_ptr<Cusparse> find_cusparse(std::string* reason) {
  return newest<Cusparse, Cusparse>(reason);
}

}  // namespace archgrid::sparse

#endif
