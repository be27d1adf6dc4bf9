// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Inspects the machine code of the matrix products in this program's own file. Covers every
// architecture, with or without such a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gemm/gemm.h"

namespace archgrid::gemm {
namespace {

using fatbin::Arch;
using fatbin::Image;
using fatbin::Kernel;

const fatbin::File& this_program() {
  static const fatbin::File file = fatbin::read("/proc/self/exe");
  return file;
}

/// A kernel of a variant, compiled for an architecture.
struct Built {
  const Image* image;
  const Kernel* kernel;
  std::string name;
};

std::string described(const Built& built) {
  return built.name + " for " + built.image->arch.text();
}

/// Reports whether a kernel belongs to a variant. The kernels of mma_bf16_64x64 are
/// mma_tile<Bf16_64x64<...>>, the kernel of mma_f64_64x64 is mma_f64_tile<F64_64x64_mma>.
bool is_of(const Variant& variant, const std::string& kernel) {
  std::string type = variant.is_tf32 ? "tf32" : name(variant.input);
  type[0] = static_cast<char>(std::toupper(type[0]));
  const std::string shape =
      "gemm::" + type + "_" + std::to_string(variant.tile_m) + "x" + std::to_string(variant.tile_n);
  const std::string source = variant.source;
  const std::string prefix = "gemm::" + source.substr(0, source.find('_')) + "_";
  return kernel.find(prefix) < kernel.find('<') && kernel.find(shape) != std::string::npos;
}

std::vector<Built> machine_code_of(const Variant& variant) {
  std::vector<Built> all;
  for (const Image& image : this_program().images) {
    if (image.kind != fatbin::Kind::sass) continue;
    for (const Kernel& kernel : image.kernels) {
      const std::string name = fatbin::demangle(kernel.name);
      if (is_of(variant, name)) all.push_back({&image, &kernel, name});
    }
  }
  return all;
}

/// Returns the architectures from `first` on that this program has machine code for.
std::set<std::string> architectures_from(int first) {
  std::set<std::string> all;
  for (const Image& image : this_program().images) {
    if (image.kind == fatbin::Kind::sass && image.arch.number >= first)
      all.insert(image.arch.text());
  }
  return all;
}

/// Returns the operation of a variant's main instruction; nothing for an instruction or an arch
/// that this test does not know. 9.x, 10.x and 11.x have none for 8-bit floating point: ptxas
/// converts to f16, and uses the operation of f16 (docs/cpu-emulator.md).
std::optional<std::size_t> operation_of(const Variant& variant, int arch) {
  const std::string instruction = variant.instruction;
  if (instruction == "FFMA") return fatbin::opcode::kFfma;
  if (instruction == "DFMA") return fatbin::opcode::kDfma;
  if (instruction == "IMMA") return fatbin::opcode::kImma;
  if (instruction == "DMMA") return fatbin::opcode::kDmma;
  if (instruction == "HMMA") return fatbin::opcode::kHmma;
  constexpr int kFirstUnknown = 130;
  if (instruction != "QMMA" || arch >= kFirstUnknown) return std::nullopt;
  const bool converts = arch >= 90 && arch < 120;
  return converts ? fatbin::opcode::kHmma : fatbin::opcode::kQmma;
}

class GemmAsBuilt : public ::testing::TestWithParam<const Variant*> {};

std::vector<const Variant*> built_variants() {
  std::vector<const Variant*> built;
  for (const Variant& variant : variants()) {
    if (variant.launch != nullptr) built.push_back(&variant);
  }
  return built;
}

INSTANTIATE_TEST_SUITE_P(Variants, GemmAsBuilt, ::testing::ValuesIn(built_variants()),
                         [](const auto& tested) { return tested.param->name; });

TEST_P(GemmAsBuilt, IsThereForEveryArchitectureThatHasTheInstruction) {
  std::set<std::string> found;
  for (const Built& built : machine_code_of(*GetParam())) found.insert(built.image->arch.text());
  EXPECT_EQ(found, architectures_from(GetParam()->first_device));
  EXPECT_FALSE(found.empty());
}

TEST_P(GemmAsBuilt, DoesWorkWithTheInstructionThatItIsFor) {
  for (const Built& built : machine_code_of(*GetParam())) {
    SCOPED_TRACE(described(built));
    EXPECT_EQ(built.kernel->body, fatbin::Body::code);
    const int arch = built.image->arch.number;
    if (arch < 70) continue;  // opcodes are not read there
    const fatbin::Opcodes& opcodes = built.kernel->opcodes;
    const auto operation = operation_of(*GetParam(), arch);
    ASSERT_TRUE(operation) << GetParam()->instruction << " on " << arch
                           << ": add it to operation_of";
    EXPECT_TRUE(opcodes.test(*operation)) << GetParam()->instruction;
    EXPECT_EQ(opcodes.test(fatbin::opcode::kLdgsts), arch >= 80) << "asynchronous copies";
    const bool uses_ldmatrix =
        GetParam()->instruction != std::string("FFMA") && bytes_of(GetParam()->input) < 8;
    EXPECT_EQ(opcodes.test(fatbin::opcode::kLdsm), uses_ldmatrix) << "ldmatrix";
  }
}

TEST_P(GemmAsBuilt, KeepsToItsRegistersAndSpillsNone) {
  for (const Built& built : machine_code_of(*GetParam())) {
    SCOPED_TRACE(described(built));
    const Kernel& kernel = *built.kernel;
    const auto max =
        static_cast<unsigned>(built.image->arch.number < 80 ? 255 : GetParam()->registers);
    EXPECT_LE(kernel.registers.value_or(256), max);
    EXPECT_EQ(kernel.stack.value_or(1), 0u);
    EXPECT_EQ(kernel.spill_stores.value_or(0), 0u);
    EXPECT_EQ(kernel.spill_loads.value_or(0), 0u);
  }
}

// Shared memory is dynamic, so the launch counts it. The system reserves 1 KiB on 9.0 and later.
TEST_P(GemmAsBuilt, HasNoStaticSharedMemory) {
  for (const Built& built : machine_code_of(*GetParam())) {
    EXPECT_LE(built.kernel->shared.value_or(1025), 1024u) << described(built);
  }
}

TEST(GemmAsBuilt, IsReadWithoutAnError) {
  for (const fatbin::Error& error : this_program().errors) ADD_FAILURE() << error.message;
  for (const Image& image : this_program().images) EXPECT_EQ(image.error, "");
}

}  // namespace
}  // namespace archgrid::gemm
