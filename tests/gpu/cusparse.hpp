// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// cuSPARSE as the peer in benchmarks, if its library is installed. The values of its enums and the
// signatures of its functions are those of cusparse.h from CUDA 11.8 to 13.1. Features that only
// some versions have are marked with the first one that does.
#ifndef ARCHGRID_TESTS_GPU_CUSPARSE_HPP
#define ARCHGRID_TESTS_GPU_CUSPARSE_HPP

#include <archgrid/cuda/device_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "library.hpp"
#include "sparse/bsrmm.h"
#include "sparse/sddmm.h"
#include "sparse/spmm.h"
#include "sparse/spmv.h"

namespace archgrid::sparse {

/// A request that this version of cuSPARSE does not support.
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The format of an algorithm's sparse matrix.
enum class CusparseFormat { csr, coo, bsr, sliced_ell, blocked_ell };

struct CusparseAlgorithm {
  const char* name;
  int number;  ///< cusparseSpMVAlg_t or cusparseSpMMAlg_t
  CusparseFormat format;
  int first_version = 0;  ///< of cuSPARSE, as returned by cusparseGetVersion()
};

/// Algorithms for products with vectors.
constexpr CusparseAlgorithm spmv_algorithms[] = {
    {"csr_alg1", 2, CusparseFormat::csr},
    {"csr_alg2", 3, CusparseFormat::csr},
    {"coo_alg1", 1, CusparseFormat::coo},
    {"coo_alg2", 4, CusparseFormat::coo},
    {"sell_alg1", 5, CusparseFormat::sliced_ell, 12100},  // CUDA 12.1
    {"bsr_alg1", 6, CusparseFormat::bsr, 12600},          // CUDA 13.0
};
/// Algorithms for products with dense matrices.
constexpr CusparseAlgorithm spmm_algorithms[] = {
    {"csr_alg1", 4, CusparseFormat::csr},  {"csr_alg2", 6, CusparseFormat::csr},
    {"csr_alg3", 12, CusparseFormat::csr}, {"coo_alg1", 1, CusparseFormat::coo},
    {"coo_alg2", 2, CusparseFormat::coo},  {"coo_alg3", 3, CusparseFormat::coo},
    {"coo_alg4", 5, CusparseFormat::coo},
};
/// Algorithms for products of blocks and dense matrices.
constexpr CusparseAlgorithm bsrmm_algorithms[] = {
    {"bsr_alg1", 14, CusparseFormat::bsr, 12501},  // CUDA 12.5 Update 1
    {"blocked_ell_alg1", 13, CusparseFormat::blocked_ell},
};

/// The descriptor of a matrix or a vector.
class CusparseObject {
 public:
  using Destroy = int (*)(void*);
  CusparseObject(void* object, Destroy destroy) : object_(object, destroy) {}
  void* get() const { return object_.get(); }

 private:
  std::unique_ptr<void, Destroy> object_;
};

class Cusparse {
 public:
  static constexpr int not_supported = 10;  // cusparseStatus_t

  /// Throws std::runtime_error if there is no library with that name, or if it cannot be used.
  explicit Cusparse(const std::string& file) : library_(file) {
    int (*create)(void**) = nullptr;
    int (*get_version)(void*, int*) = nullptr;
    library_.find(create, "cusparseCreate");
    library_.find(get_version, "cusparseGetVersion");
    library_.find(set_stream_, "cusparseSetStream");
    library_.find(destroy_sparse_, "cusparseDestroySpMat");
    library_.find(destroy_dense_, "cusparseDestroyDnMat");
    library_.find(destroy_vector_, "cusparseDestroyDnVec");
    throw_on_status("cusparseCreate", create(&handle_));
    throw_on_status("cusparseGetVersion", get_version(handle_, &version_));
  }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  static const char* file_name() { return "libcusparse.so"; }
  int version() const { return version_; }
  /// Throws NotSupported if this version is older than the algorithm.
  void require(const CusparseAlgorithm& algorithm) const {
    if (version_ < algorithm.first_version)
      throw NotSupported(std::string("has no ") + algorithm.name);
  }
  /// Sends all following work to `stream`, until the next call.
  void go_to(cudaStream_t stream) const {
    throw_on_status("cusparseSetStream", set_stream_(handle_, stream));
  }

  // The functions below throw NotSupported if this version lacks them.

  CusparseObject csr(const CsrOnDevice& m, const void* value, Number type) const {
    int (*function)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                    void* offsets, void* column, void* value, int offset_type, int column_type,
                    int base, int value_type) = nullptr;
    return sparse("cusparseCreateCsr", function, m.rows, m.columns, m.entries, changed(m.offsets),
                  changed(m.column), changed(value), index_type(m.index_type),
                  index_type(m.index_type), base_zero, data_type(type));
  }
  /// `entry_rows` has the row of each entry, in device memory.
  CusparseObject coo(const CsrOnDevice& m, const void* entry_rows) const {
    int (*function)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                    void* row, void* column, void* value, int index_type, int base,
                    int value_type) = nullptr;
    return sparse("cusparseCreateCoo", function, m.rows, m.columns, m.entries, changed(entry_rows),
                  changed(m.column), changed(m.value), index_type(m.index_type), base_zero,
                  data_type(m.type));
  }
  CusparseObject bsr(const BsrOnDevice& m) const {
    int (*function)(void**, std::int64_t block_rows, std::int64_t block_columns,
                    std::int64_t blocks, std::int64_t rows_of_block, std::int64_t columns_of_block,
                    void* offsets, void* column, void* value, int offset_type, int column_type,
                    int base, int value_type, int order) = nullptr;
    const auto count = [](std::int64_t all, std::int64_t of_block) {
      return (all + of_block - 1) / of_block;
    };
    return sparse("cusparseCreateBsr", function, count(m.rows, m.block_rows),
                  count(m.columns, m.block_columns), m.blocks, std::int64_t{m.block_rows},
                  std::int64_t{m.block_columns}, changed(m.offsets), changed(m.column),
                  changed(m.value), index_type(m.index_type), index_type(m.index_type), base_zero,
                  data_type(m.type), order_of(Layout::row));
  }
  /// Slices of `slice` rows, each padded to its longest row: `elements` elements in all. Slice s is
  /// stored from offsets[s] on, column by column. Padding has column -1.
  CusparseObject sliced_ell(const CsrOnDevice& m, std::int64_t elements, std::int64_t slice,
                            const void* offsets, const void* column, const void* value) const {
    int (*function)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                    std::int64_t elements, std::int64_t slice, void* offsets, void* column,
                    void* value, int offset_type, int column_type, int base, int value_type) =
        nullptr;
    return sparse("cusparseCreateSlicedEll", function, m.rows, m.columns, m.entries, elements,
                  slice, changed(offsets), changed(column), changed(value),
                  index_type(m.index_type), index_type(m.index_type), base_zero, data_type(m.type));
  }
  /// Square blocks, equally many in each row of blocks, at the block columns `column`. convert()
  /// fills `value`.
  CusparseObject blocked_ell(std::int64_t rows, std::int64_t columns, std::int64_t block,
                             std::int64_t columns_of_row, const void* column, void* value,
                             Integer index, Number type) const {
    int (*function)(void**, std::int64_t rows, std::int64_t columns, std::int64_t block,
                    std::int64_t columns_of_row, void* column, void* value, int index_type,
                    int base, int value_type) = nullptr;
    return sparse("cusparseCreateBlockedEll", function, rows, columns, block, columns_of_row,
                  changed(column), value, index_type(index), base_zero, data_type(type));
  }
  CusparseObject vector(std::int64_t size, const void* data, Number type) const {
    int (*function)(void**, std::int64_t size, void* data, int type) = nullptr;
    return made("cusparseCreateDnVec", function, destroy_vector_, size, changed(data),
                data_type(type));
  }
  CusparseObject dense(std::int64_t rows, std::int64_t columns, const Dense<const void*>& m,
                       Number type) const {
    int (*function)(void**, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                    void* data, int type, int order) = nullptr;
    return made("cusparseCreateDnMat", function, destroy_dense_, rows, columns, m.leading,
                changed(m.data), data_type(type), order_of(m.layout));
  }

  /// Fills the values of a sparse matrix with a known pattern from a dense one.
  void convert(const CusparseObject& dense, const CusparseObject& sparse_matrix) const {
    int (*size_of)(void*, void*, void*, int, std::size_t*) = nullptr;
    int (*analyse)(void*, void*, void*, int, void*) = nullptr;
    int (*fill)(void*, void*, void*, int, void*) = nullptr;
    library_.find(size_of, "cusparseDenseToSparse_bufferSize");
    library_.find(analyse, "cusparseDenseToSparse_analysis");
    library_.find(fill, "cusparseDenseToSparse_convert");
    constexpr int by_default = 0;
    std::size_t bytes = 0;
    check("cusparseDenseToSparse_bufferSize",
          size_of(handle_, dense.get(), sparse_matrix.get(), by_default, &bytes));
    const DeviceBuffer<char> buffer(bytes + 1);
    check("cusparseDenseToSparse_analysis",
          analyse(handle_, dense.get(), sparse_matrix.get(), by_default, buffer.data()));
    check("cusparseDenseToSparse_convert",
          fill(handle_, dense.get(), sparse_matrix.get(), by_default, buffer.data()));
    throw_on_error("cudaDeviceSynchronize", cudaDeviceSynchronize());
  }

  /// A prepared product with its operands and buffer.
  class Product {
   public:
    /// `function` is SpMV, SpMM or SDDMM, without the prefix cusparse. Throws NotSupported if this
    /// version does not support the product, std::runtime_error for any other status.
    Product(const Cusparse& library, const std::string& function, double alpha, CusparseObject a,
            CusparseObject b, double beta, CusparseObject c, Number sum, int algorithm)
        : library_(library),
          a_(std::move(a)),
          b_(std::move(b)),
          c_(std::move(c)),
          alpha_(scalar(alpha, sum)),
          beta_(scalar(beta, sum)),
          compute_(data_type(sum)),
          algorithm_(algorithm),
          is_with_vector_(function == "SpMV") {
      prepare("cusparse" + function);
    }

    /// Launches the product. Returns cuSPARSE's status, 0 for success.
    int run(cudaStream_t stream) const {
      if (const int status = library_.set_stream_(library_.handle_, stream)) return status;
      return call<void*>(run_vector_, run_matrix_, buffer_->data());
    }

   private:
    union Scalar {
      float f32;
      double f64;
    };
    static Scalar scalar(double value, Number sum) {
      Scalar scalar{};
      if (sum == Number::f64) {
        scalar.f64 = value;
      } else {
        scalar.f32 = static_cast<float>(value);
      }
      return scalar;
    }

    // SpMV has one operand that may be transposed, the other products have two.
    template <class Last>
    using OfVector = int(void*, int operation, const void* alpha, void* a, void* x,
                         const void* beta, void* y, int compute, int algorithm, Last last);
    template <class Last>
    using OfMatrix = int(void*, int operation_a, int operation_b, const void* alpha, void* a,
                         void* b, const void* beta, void* c, int compute, int algorithm, Last last);

    template <class Last>
    int call(OfVector<Last>* of_vector, OfMatrix<Last>* of_matrix, Last last) const {
      constexpr int as_it_is = 0;
      return is_with_vector_ ? of_vector(library_.handle_, as_it_is, &alpha_, a_.get(), b_.get(),
                                         &beta_, c_.get(), compute_, algorithm_, last)
                             : of_matrix(library_.handle_, as_it_is, as_it_is, &alpha_, a_.get(),
                                         b_.get(), &beta_, c_.get(), compute_, algorithm_, last);
    }
    template <class Last>
    void find(OfVector<Last>*& of_vector, OfMatrix<Last>*& of_matrix, const std::string& name) {
      if (is_with_vector_) {
        library_.library_.find(of_vector, name.c_str());
      } else {
        library_.library_.find(of_matrix, name.c_str());
      }
    }

    void prepare(const std::string& function) {
      OfVector<std::size_t*>* size_of_vector = nullptr;
      OfMatrix<std::size_t*>* size_of_matrix = nullptr;
      find(size_of_vector, size_of_matrix, function + "_bufferSize");
      find(run_vector_, run_matrix_, function);
      std::size_t bytes = 0;
      check(function + "_bufferSize", call(size_of_vector, size_of_matrix, &bytes));
      buffer_ = std::make_unique<DeviceBuffer<char>>(bytes + 1);
      // SpMV has no preprocessing before CUDA 12.4.
      OfVector<void*>* prepare_vector = nullptr;
      OfMatrix<void*>* prepare_matrix = nullptr;
      const std::string preprocess = function + "_preprocess";
      if (!library_.library_.has(preprocess.c_str())) return;
      find(prepare_vector, prepare_matrix, preprocess);
      // An algorithm without preprocessing may return not_supported.
      const int status = call<void*>(prepare_vector, prepare_matrix, buffer_->data());
      if (status != not_supported) throw_on_status(preprocess.c_str(), status);
    }

    const Cusparse& library_;
    CusparseObject a_;
    CusparseObject b_;
    CusparseObject c_;
    Scalar alpha_;
    Scalar beta_;
    int compute_;
    int algorithm_;
    bool is_with_vector_;
    OfVector<void*>* run_vector_ = nullptr;
    OfMatrix<void*>* run_matrix_ = nullptr;
    std::unique_ptr<DeviceBuffer<char>> buffer_;
  };

 private:
  static constexpr int base_zero = 0;

  // cusparseIndexType_t, cusparseOrder_t, cudaDataType_t (library_types.h).
  static int index_type(Integer type) { return type == Integer::i32 ? 2 : 3; }
  static int order_of(Layout layout) { return layout == Layout::row ? 2 : 1; }
  static int data_type(Number type) {
    return type == Number::f32 ? 0 : type == Number::f64 ? 1 : 2;
  }
  // cuSPARSE takes non-const pointers also to memory that it does not change.
  static void* changed(const void* memory) { return const_cast<void*>(memory); }

  static void check(const std::string& function, int status) {
    if (status == not_supported) throw NotSupported(function + " does not support it");
    throw_on_status(function.c_str(), status);
  }

  template <class Function, class... Arguments>
  CusparseObject made(const char* name, Function* function, CusparseObject::Destroy destroy,
                      Arguments... arguments) const {
    if (!library_.has(name)) throw NotSupported(std::string("there is no ") + name);
    library_.find(function, name);
    void* object = nullptr;
    check(name, function(&object, arguments...));
    return {object, destroy};
  }
  template <class Function, class... Arguments>
  CusparseObject sparse(const char* name, Function* function, Arguments... arguments) const {
    return made(name, function, destroy_sparse_, arguments...);
  }

  Library library_;
  void* handle_ = nullptr;  // lives as long as the program
  int version_ = 0;
  int (*set_stream_)(void*, cudaStream_t) = nullptr;
  CusparseObject::Destroy destroy_sparse_ = nullptr;
  CusparseObject::Destroy destroy_dense_ = nullptr;
  CusparseObject::Destroy destroy_vector_ = nullptr;
};

/// Returns the newest usable version, or null with the reason in `reason`.
inline const Cusparse* find_cusparse(std::string* reason) {
  static std::string why;
  static const std::unique_ptr<Cusparse> library = newest<Cusparse, Cusparse>(&why);
  *reason = why;
  return library.get();
}

}  // namespace archgrid::sparse

#endif
