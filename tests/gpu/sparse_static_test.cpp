// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What this build made of the sparse kernels, read from this program's own file: for each
// architecture, whether there is a GPU of it here or not.
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
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

using CheckRows = cudaError_t(const CsrOnDevice&, void*, std::size_t, Mistake*, cudaStream_t);
using CheckFeatures = cudaError_t(const Bucketize&, void*, std::size_t, std::string*, cudaStream_t);

// What is linked only because something names it.
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

/// A kernel as it was compiled for an architecture.
struct Built {
  const Image* image;
  const Kernel* kernel;
  std::string unit;  // its source, without .cu
  std::string name;
};

std::vector<Built> machine_code() {
  std::vector<Built> all;
  for (const Image& image : this_program().images) {
    if (image.kind != fatbin::Kind::sass) continue;
    const std::string& unit = this_program().modules[image.module].unit;
    for (const Kernel& kernel : image.kernels) {
      all.push_back(
          {&image, &kernel, unit.substr(0, unit.rfind('.')), fatbin::demangle(kernel.name)});
    }
  }
  return all;
}

/// The row of variants.inc that a source is of; null for those that are of none.
const Row* row_of(const std::string& unit) {
  for (const Row& row : rows()) {
    if (unit == row.name) return &row;
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
    const Row* const row = row_of(built.unit);
    first_device[built.name] = row == nullptr ? 0 : row->first_device;
  }
  ASSERT_FALSE(archs.empty());
  for (const auto& [name, found] : archs)
    EXPECT_EQ(found, architectures_from(first_device[name])) << name;
}

TEST(SparseAsBuilt, HasTheKernelsOfEveryRowAndSource) {
  std::set<std::string> units;
  for (const Built& built : machine_code()) units.insert(built.unit);
  for (const Row& row : rows()) EXPECT_EQ(units.count(row.name) != 0, row.is_built) << row.name;
  for (const char* unit : {"bucketize", "check", "embedding", "features_check", "scale", "scan",
                           "spmv_rows", "structured_data"})
    EXPECT_EQ(units.count(unit), 1u) << unit;
}

TEST(SparseAsBuilt, DoesWorkWithTheInstructionsThatItIsFor) {
  for (const Built& built : machine_code()) {
    const Row* const row = row_of(built.unit);
    const int arch = built.image->arch.number;
    if (row == nullptr || *row->instruction == '\0' || arch < 70) continue;
    SCOPED_TRACE(built.name + " for " + built.image->arch.text());
    const std::string instruction = row->instruction;
    const auto operation =
        instruction.substr(0, 4) == "IMMA" ? fatbin::opcode::kImma : fatbin::opcode::kHmma;
    EXPECT_TRUE(built.kernel->opcodes.test(operation)) << instruction;
    EXPECT_EQ(built.kernel->multiplies_2_to_4, instruction.substr(4) == ".SP") << instruction;
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
    // Two blocks of 256 threads, which all are at most, fit every multiprocessor; those for tensor
    // cores have 128.
    const Row* const row = row_of(built.unit);
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
