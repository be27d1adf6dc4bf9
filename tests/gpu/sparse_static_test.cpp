// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Inspects the machine code of the sparse kernels in this program's own file. Covers every
// architecture, with or without such a GPU.
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sparse/bucketize.h"
#include "sparse/check.h"
#include "sparse/embedding.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

using fatbin::Image;
using fatbin::Kernel;

const fatbin::File& this_program() {
  static const fatbin::File file = fatbin::read("/proc/self/exe");
  return file;
}

using CheckRows = cudaError_t(const CsrOnDevice&, void*, std::size_t, FormatError*, cudaStream_t);
using CheckFeatures = cudaError_t(const Bucketize&, void*, std::size_t, std::string*, cudaStream_t);

// References, without which the kernels would not be linked.
const void* const kLinked[] = {reinterpret_cast<const void*>(&bucketize),
                               reinterpret_cast<const void*>(&look_up),
                               reinterpret_cast<const void*>(&measure_rows),
                               reinterpret_cast<const void*>(&prune),
                               reinterpret_cast<const void*>(static_cast<CheckRows*>(&check)),
                               reinterpret_cast<const void*>(static_cast<CheckFeatures*>(&check)),
                               static_cast<const void*>(&spmv_variants()),
                               static_cast<const void*>(&spmm_variants()),
                               static_cast<const void*>(&sddmm_variants()),
                               static_cast<const void*>(&bsrmm_variants()),
                               static_cast<const void*>(&structured_variants())};

/// A kernel, compiled for an architecture.
struct Built {
  const Image* image;
  const Kernel* kernel;
  std::string name;
};

std::vector<Built> machine_code() {
  std::vector<Built> all;
  for (const Image& image : this_program().images) {
    if (image.kind != fatbin::Kind::sass) continue;
    for (const Kernel& kernel : image.kernels)
      all.push_back({&image, &kernel, fatbin::demangle(kernel.name)});
  }
  return all;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Reports whether a kernel belongs to a row. Names of kernels of "spmv_merge" begin with it.
/// Kernels of rows with an instruction, "structured_f16" and "bsrmm_mma_f16", are named like the
/// product, with a type's shape as their argument.
bool is_of(const Row& row, const std::string& kernel) {
  const std::string name = row.name;
  if (*row.instruction == '\0') return contains(kernel, "sparse::" + name + "_");
  const std::size_t end_of_product = name.rfind('_');
  std::string type = name.substr(end_of_product + 1);
  type[0] = static_cast<char>(std::toupper(type[0]));
  const bool is_its_product = contains(kernel, "sparse::" + name.substr(0, end_of_product + 1));
  return is_its_product &&
         (contains(kernel, "::" + type + "_") || contains(kernel, "::" + type + ","));
}

/// Returns the row of variants.inc that a kernel belongs to, or null.
const Row* row_of(const std::string& kernel) {
  for (const Row& row : rows()) {
    if (is_of(row, kernel)) return &row;
  }
  return nullptr;
}

std::set<std::string> architectures_from(int first) {
  std::set<std::string> all;
  for (const Built& built : machine_code()) {
    if (built.image->arch.number >= first) all.insert(built.image->arch.text());
  }
  return all;
}

TEST(SparseAsBuilt, HasEveryKernelForEveryArchitectureThatItIsFor) {
  for (const void* linked : kLinked) ASSERT_NE(linked, nullptr);
  std::map<std::string, std::set<std::string>> archs;
  std::map<std::string, int> first_device;
  for (const Built& built : machine_code()) {
    archs[built.name].insert(built.image->arch.text());
    const Row* const row = row_of(built.name);
    first_device[built.name] = row == nullptr ? 0 : row->first_device;
  }
  ASSERT_FALSE(archs.empty());
  for (const auto& [name, found] : archs)
    EXPECT_EQ(found, architectures_from(first_device[name])) << name;
}

TEST(SparseAsBuilt, HasTheKernelsOfEveryRowAndSource) {
  std::set<std::string> names;
  std::set<const Row*> built_rows;
  for (const Built& built : machine_code()) {
    names.insert(built.name.substr(0, built.name.find('<')));
    built_rows.insert(row_of(built.name));
  }
  for (const Row& row : rows()) EXPECT_EQ(built_rows.count(&row) != 0, row.is_built) << row.name;
  for (const char* kernel : {"bucketize_place", "check_indices", "check_counts", "embedding_pool",
                             "prune_2_4", "scale_elements", "scan_elements", "spmv_row_lengths"})
    EXPECT_EQ(names.count(std::string("void archgrid::sparse::") + kernel), 1u) << kernel;
}

TEST(SparseAsBuilt, DoesWorkWithTheInstructionsThatItIsFor) {
  for (const Built& built : machine_code()) {
    const Row* const row = row_of(built.name);
    const int arch = built.image->arch.number;
    if (row == nullptr || *row->instruction == '\0' || arch < 70) continue;
    SCOPED_TRACE(built.name + " for " + built.image->arch.text());
    const std::string instruction = row->instruction;
    const auto operation =
        instruction.substr(0, 4) == "IMMA" ? fatbin::opcode::kImma : fatbin::opcode::kHmma;
    EXPECT_TRUE(built.kernel->opcodes.test(operation)) << instruction;
    EXPECT_EQ(built.kernel->uses_sparse_mma, instruction.substr(4) == ".SP") << instruction;
    EXPECT_TRUE(built.kernel->opcodes.test(fatbin::opcode::kLdsm)) << "ldmatrix";
    EXPECT_EQ(built.kernel->opcodes.test(fatbin::opcode::kLdgsts), arch >= 80)
        << "asynchronous copies";
  }
}

TEST(SparseAsBuilt, HasCodeWithoutSpills) {
  for (const Built& built : machine_code()) {
    SCOPED_TRACE(built.name + " for " + built.image->arch.text());
    EXPECT_EQ(built.kernel->body, fatbin::Body::code);
    EXPECT_EQ(built.kernel->stack.value_or(1), 0u);
    EXPECT_EQ(built.kernel->spill_stores.value_or(0), 0u);
    EXPECT_EQ(built.kernel->spill_loads.value_or(0), 0u);
    // Two blocks of at most 256 threads fit every multiprocessor. Blocks of kernels for tensor
    // cores have 128 threads.
    const Row* const row = row_of(built.name);
    const bool has_few_threads = row != nullptr && *row->instruction != '\0';
    EXPECT_LE(built.kernel->registers.value_or(256), has_few_threads ? 255u : 128u);
  }
}

TEST(SparseAsBuilt, IsReadWithoutAnError) {
  for (const fatbin::Error& error : this_program().errors) ADD_FAILURE() << error.message;
  for (const fatbin::Image& image : this_program().images) EXPECT_EQ(image.error, "");
}

}  // namespace
}  // namespace archgrid::sparse
