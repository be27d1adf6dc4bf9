// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What this build made of the sparse kernels, read from this program's own file: for each
// architecture, whether there is a GPU of it here or not.
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
#include <map>
#include <set>
#include <string>

#include "sparse/bucketize.h"
#include "sparse/check.h"
#include "sparse/embedding.h"
#include "sparse/sddmm.h"
#include "sparse/spmm.h"
#include "sparse/spmv.h"

namespace archgrid::sparse {
namespace {

const fatbin::File& this_program() {
  static const fatbin::File file = fatbin::read("/proc/self/exe");
  return file;
}

// What is linked only because something names it.
const void* const kLinked[] = {
    reinterpret_cast<const void*>(&bucketize),  reinterpret_cast<const void*>(&look_up),
    reinterpret_cast<const void*>(&check),      reinterpret_cast<const void*>(&measure_rows),
    static_cast<const void*>(&spmv_variants()), static_cast<const void*>(&spmm_variants()),
    static_cast<const void*>(&sddmm_variants())};

using Kernels = std::map<std::string, const fatbin::Kernel*>;

/// The machine code of each architecture.
std::map<std::string, Kernels> kernels_by_arch() {
  std::map<std::string, Kernels> all;
  for (const fatbin::Image& image : this_program().images) {
    if (image.kind != fatbin::Kind::sass) continue;
    for (const fatbin::Kernel& kernel : image.kernels)
      all[image.arch.text()][fatbin::demangle(kernel.name)] = &kernel;
  }
  return all;
}

std::set<std::string> names_of(const Kernels& kernels) {
  std::set<std::string> names;
  for (const auto& [name, kernel] : kernels) names.insert(name);
  return names;
}

TEST(SparseAsBuilt, HasTheSameKernelsForEveryArchitecture) {
  for (const void* linked : kLinked) ASSERT_NE(linked, nullptr);
  const auto all = kernels_by_arch();
  ASSERT_FALSE(all.empty());
  const std::set<std::string> expected = names_of(all.begin()->second);
  for (const auto& [arch, kernels] : all) EXPECT_EQ(names_of(kernels), expected) << arch;
  for (const char* kernel :
       {"bucketize_count<", "bucketize_place<", "embedding_pool<", "check_rows<", "scan_elements<",
        "spmv_row_per_thread_kernel<", "spmv_row_per_warp_kernel<", "spmv_merge_kernel<",
        "spmm_lanes_have_columns_kernel<", "spmm_lanes_have_entries_kernel<", "spmm_merge_kernel<",
        "sddmm_lanes_have_k_kernel<", "sddmm_lanes_have_entries_kernel<"}) {
    bool is_there = false;
    for (const std::string& name : expected) is_there |= name.find(kernel) != std::string::npos;
    EXPECT_TRUE(is_there) << kernel;
  }
}

TEST(SparseAsBuilt, HasCodeWithoutSpills) {
  for (const auto& [arch, kernels] : kernels_by_arch()) {
    for (const auto& [name, kernel] : kernels) {
      SCOPED_TRACE(name + " for " + arch);
      EXPECT_EQ(kernel->body, fatbin::Body::code);
      EXPECT_EQ(kernel->stack.value_or(1), 0u);
      EXPECT_EQ(kernel->spill_stores.value_or(0), 0u);
      EXPECT_EQ(kernel->spill_loads.value_or(0), 0u);
      // Two blocks of 256 threads, which all are at most, fit every multiprocessor.
      EXPECT_LE(kernel->registers.value_or(256), 128u);
    }
  }
}

TEST(SparseAsBuilt, IsReadWithoutAnError) {
  for (const fatbin::Error& error : this_program().errors) ADD_FAILURE() << error.message;
  for (const fatbin::Image& image : this_program().images) EXPECT_EQ(image.error, "");
}

}  // namespace
}  // namespace archgrid::sparse
