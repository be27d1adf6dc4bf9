// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "body.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "ptx.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kStackLoad = 0x00000a0000017a02;
constexpr std::uint64_t kExit = 0x000000000000794d;
constexpr std::uint64_t kConditionalExit = 0x000000000000094d;
constexpr std::uint64_t kBranch = 0xfffffff000007947;
constexpr std::uint64_t kNop = 0x0000000000007918;
constexpr std::uint64_t kNeverShuffle = 0x000000000000f389;
constexpr std::uint64_t kMove = 0x0000000000037a02;
constexpr std::uint64_t kStore = 0x0000000702007986;
constexpr std::uint64_t kCopyToShared = 0x0000000002057fae;    // cp.async
constexpr std::uint64_t kTensorToShared = 0x00000008040075b4;  // cp.async.bulk.tensor
constexpr std::uint64_t kBreakpoint = 0x000000040000795c;
constexpr std::uint64_t kStoreLocal = 0x0000000001007387;
constexpr std::uint64_t kCallNamed = 0x0000000000007943;    // CALL.ABS to a name
constexpr std::uint64_t kCallNear = 0x0000001000007944;     // CALL.REL
constexpr std::uint64_t kCallPointer = 0xffffff8002007344;  // CALL.REL by a register
constexpr std::uint64_t kUnknown = 0x00000000000071ff;
constexpr std::uint64_t kBarrier = 0x00000000ff0075b2;  // SYNCS, on a barrier in shared memory

using Instruction = std::array<std::uint64_t, 2>;

// Code of ptxas of CUDA 13.0 for 7.5, 8.0 and 12.0.
constexpr Instruction kHmma75 = {0x000000000804723c, 0x004f5c0000001004};      // 1688.F32
constexpr Instruction kHmma = {0x0000000c0804723c, 0x0c4ff60000001804};        // 16816.F32
constexpr Instruction kHmma120 = {0x0000000c0804723c, 0x004fde0000001804};     // 16816.F32
constexpr Instruction kHmmaSparse = {0x0004000c0804723c, 0x044ff60000005a04};  // SP.16832.F32
constexpr Instruction kHmmaSparse120 = {0x00001804080c723c, 0x000fe20000005a0c};
constexpr Instruction kImma75 = {0x0000000700047237, 0x0c4e340000005404};      // 8816.S8.S8
constexpr Instruction kImma = {0x0000000c08047237, 0x0c4ff60000405c04};        // 16832.S8.S8
constexpr Instruction kImmaSparse = {0x0000000c08047237, 0x044ff60000605504};  // SP.16864.S8.S8
constexpr Instruction kImmaSparse120 = {0x00001c04080c7237, 0x000fe2000060550c};

BodyFacts classify_whole(const std::vector<Instruction>& instructions) {
  std::string code;
  for (const auto& words : instructions)
    code.append(reinterpret_cast<const char*>(words.data()), sizeof(words));
  return classify_sass(Bytes(code), 80);
}

BodyFacts classify(const std::vector<std::uint64_t>& words) {
  std::vector<Instruction> instructions;
  for (const auto word : words) instructions.push_back({word, 0});
  return classify_whole(instructions);
}

TEST(MachineCode, ReturningAtOnceIsEmpty) {
  EXPECT_EQ(classify({kStackLoad, kExit, kBranch, kNop}).body, Body::empty);
  EXPECT_EQ(classify({kExit}).body, Body::empty);
  EXPECT_EQ(classify({kStackLoad, kNeverShuffle, kExit, kBranch}).body, Body::empty);
}

TEST(MachineCode, StoringNothingThatOutlastsTheBlockIsInert) {
  EXPECT_EQ(classify({kStackLoad, kMove, kExit, kBranch}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kExit, kMove, kBranch}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kConditionalExit, kExit}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kBranch}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kCopyToShared, kExit}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kTensorToShared, kExit}).body, Body::inert);
  EXPECT_EQ(classify({kStackLoad, kBarrier, kExit}).body, Body::inert);
}

TEST(MachineCode, AnythingElseIsCode) {
  EXPECT_EQ(classify({kStackLoad, kStore, kExit}).body, Body::code);
  EXPECT_EQ(classify({kStackLoad, kCopyToShared, kStore, kExit}).body, Body::code);
  EXPECT_EQ(classify({kStackLoad, kUnknown, kExit}).body, Body::code) << "may store";
  EXPECT_EQ(classify(std::vector<std::uint64_t>(17, kMove)).body, Body::code) << "too long";
  EXPECT_EQ(classify({kNop}).body, Body::code);
  EXPECT_TRUE(classify({kStackLoad, kStore, kExit, kBranch}).stores);
  EXPECT_TRUE(classify({kStackLoad, kCopyToShared, kExit, kBranch}).stores);
  EXPECT_TRUE(classify({kStackLoad, kTensorToShared, kExit, kBranch}).stores);
  EXPECT_FALSE(classify({kStackLoad, kMove, kExit, kBranch}).stores);
}

TEST(MachineCode, TheStackIsNoMemoryToStoreTo) {
  const auto facts = classify({kStackLoad, kStoreLocal, kExit, kBranch});
  EXPECT_EQ(facts.body, Body::inert);
  EXPECT_FALSE(facts.stores);
  EXPECT_EQ(classify({kStackLoad, kStoreLocal, kBreakpoint, kExit}).body, Body::trap);
}

TEST(MachineCode, CallsThatCannotBeFollowedMayStore) {
  for (const auto call : {kCallNamed, kCallNear, kCallPointer}) {
    const auto facts = classify({kStackLoad, call, kExit});
    EXPECT_EQ(facts.body, Body::code);
    EXPECT_TRUE(facts.stores);
    EXPECT_TRUE(facts.may_store);
  }
  const auto stores = classify({kStackLoad, kCallNamed, kStore, kExit});
  EXPECT_TRUE(stores.stores);
  EXPECT_FALSE(stores.may_store);
}

/// Classifies a body whose calls have these effects.
BodyFacts classify_calling(const std::vector<std::uint64_t>& words, const CallEffects& effects) {
  CodeContext context;
  context.follow = [&](const std::vector<Call>&) { return effects; };
  std::string code;
  for (const auto word : words) {
    const Instruction instruction = {word, 0};
    code.append(reinterpret_cast<const char*>(instruction.data()), sizeof(instruction));
  }
  return classify_sass(Bytes(code), 80, context);
}

// Scanning the whole function for each call would take minutes.
TEST(MachineCode, ManyCallsByARegisterAreReadInOneGo) {
  constexpr std::uint64_t kCall = 0x343 | 7 << 12 | 20 << 24;               // CALL.ABS R20
  constexpr std::uint64_t kLoad = 0xb82 | 7 << 12 | 20 << 16 | 4ULL << 54;  // LDC R20, c[0x4][0x0]
  std::vector<std::uint64_t> words(1'000'000, kCall);
  words.push_back(kLoad);
  words.push_back(kExit);
  const auto facts = classify(words);
  EXPECT_EQ(facts.body, Body::code);
  EXPECT_TRUE(facts.may_store);
}

TEST(MachineCode, BodiesThatOnlyReportAreToldApart) {
  CallEffects prints;
  prints.prints = true;
  CallEffects asserts;
  asserts.asserts = true;
  CallEffects stores = prints;
  stores.stores = true;
  EXPECT_EQ(classify_calling({kStackLoad, kStoreLocal, kCallNamed, kExit}, prints).body,
            Body::print);
  EXPECT_FALSE(classify_calling({kStackLoad, kCallNamed, kExit}, prints).stores);
  EXPECT_EQ(classify_calling({kCallNamed, kBreakpoint, kExit}, prints).body, Body::print_trap);
  EXPECT_EQ(classify_calling({kCallNamed, kExit}, asserts).body, Body::assertion);
  EXPECT_EQ(classify_calling({kCallNamed, kExit}, stores).body, Body::code);
  EXPECT_EQ(classify_calling({kCallNamed, kStore, kExit}, prints).body, Body::code);
  EXPECT_EQ(classify_calling({kCallNamed, kBarrier, kExit}, prints).body, Body::code)
      << "an instruction that no such body was seen to have";
}

TEST(MachineCode, LongBodiesThatOnlyReportAreNotCalledSo) {
  CallEffects prints;
  prints.prints = true;
  std::vector<std::uint64_t> words(kLargestReport / 16, kMove);
  words.front() = kCallNamed;
  EXPECT_EQ(classify_calling(words, prints).body, Body::print);
  words.push_back(kMove);
  EXPECT_EQ(classify_calling(words, prints).body, Body::code);
  EXPECT_FALSE(classify_calling(words, prints).stores);
}

// A cubin's start shows which kernels may report, but not which ones trap.
TEST(MachineCode, LongBodiesThatOnlyTrapAreNotCalledSo) {
  CallEffects traps;
  traps.traps = true;
  std::vector<std::uint64_t> words(largest_idle_body(80) / 16, kMove);
  words.front() = kCallNamed;
  EXPECT_EQ(classify_calling(words, traps).body, Body::trap);
  words.push_back(kMove);
  EXPECT_EQ(classify_calling(words, traps).body, Body::code);
}

TEST(MachineCode, TrappingWithoutAStoreIsATrap) {
  EXPECT_EQ(classify({kStackLoad, kBreakpoint, kExit}).body, Body::trap);
  EXPECT_EQ(classify({kStackLoad, kStore, kBreakpoint, kExit}).body, Body::code);
}

TEST(MachineCode, DenseProductsAreNot2To4) {
  for (const auto& dense : {kHmma75, kHmma, kHmma120, kImma75, kImma}) {
    SCOPED_TRACE(dense[1]);
    const auto facts = classify_whole({dense, {kExit, 0}});
    EXPECT_TRUE(facts.opcodes.test(opcode::kHmma) || facts.opcodes.test(opcode::kImma));
    EXPECT_FALSE(facts.uses_sparse_mma);
  }
}

TEST(MachineCode, SparseProductsAre2To4) {
  for (const auto& sparse : {kHmmaSparse, kHmmaSparse120, kImmaSparse, kImmaSparse120}) {
    SCOPED_TRACE(sparse[1]);
    EXPECT_TRUE(classify_whole({sparse, {kExit, 0}}).uses_sparse_mma);
    EXPECT_TRUE(classify_whole({kHmma, sparse, kImma, {kExit, 0}}).uses_sparse_mma);
    // Longer than any body that does nothing.
    EXPECT_TRUE(classify_whole(std::vector<Instruction>(64, sparse)).uses_sparse_mma);
  }
}

TEST(MachineCode, BitsOfOneOperationAreNotThoseOfAnother) {
  for (const Instruction& other :
       {Instruction{kHmma[0], kHmma[1] | 0x100}, Instruction{kImma[0], kImma[1] | 0x200},
        Instruction{kStore, 0x300}}) {
    SCOPED_TRACE(other[0]);
    EXPECT_FALSE(classify_whole({other, {kExit, 0}}).uses_sparse_mma);
  }
}

TEST(MachineCode, UnknownEncodingsAreNotJudged) {
  EXPECT_EQ(classify_sass(Bytes(std::string_view("12345678")), 35).body, Body::unknown);
  EXPECT_EQ(classify_sass(Bytes(), 80).body, Body::unknown);
}

// Compares the faster check, for code that is long enough to work.
TEST(Stores, AreWhatClassifyingFinds) {
  std::mt19937_64 random(1);
  std::size_t found = 0;
  for (const int arch : {35, 50, 61, 70, 80, 90, 120}) {
    for (int round = 0; round < 2000; ++round) {
      std::string code;
      for (std::uint64_t words = random() % 24; words > 0; --words) {
        auto word = random();
        // Executed always, never, or under a predicate.
        if (round % 2 == 0) word = (word & ~0xf000ULL) | (round % 4 == 0 ? 0x7000U : 0xf000U);
        code.append(reinterpret_cast<const char*>(&word), sizeof(word));
      }
      const auto expected = classify_sass(Bytes(code), arch).stores;
      EXPECT_EQ(store_facts(Bytes(code), arch).stores, expected) << arch << ' ' << round;
      if (expected) ++found;
    }
  }
  EXPECT_GT(found, 1000U);
  EXPECT_LT(found, 12000U);
}

TEST(Ptx, BodiesAreClassified) {
  EXPECT_EQ(classify_ptx("\n\t.reg .b32 %r<2>;\n\n\tret;\n\n").body, Body::empty);
  EXPECT_EQ(classify_ptx("\n\t.loc 1 2 3\n\tret;\n").body, Body::empty);
  EXPECT_EQ(classify_ptx("\n$L__BB0_1:\n\tret;\n").body, Body::empty);
  EXPECT_EQ(classify_ptx("\n\n\n").body, Body::empty);
  EXPECT_EQ(classify_ptx("\n\t.reg .pred %p<2>;\n").body, Body::empty);
  EXPECT_EQ(classify_ptx("\n\tst.global.f32 [%rd1], %f1;\n").body, Body::code);
  EXPECT_EQ(classify_ptx("\n\ttrap;\n\tret;\n").body, Body::trap);
  for (const auto* inert :
       {"@%p1 bra $L;\n\tret;\n$L:", "bar.sync 0;", "st.shared.u32 [%r1], 1;",
        "cp.async.ca.shared.global [%r1], [%rd1], 4;", "ld.global.f32 %f1, [%rd1];",
        "discard.global.L2 [%rd1], 128;", "applypriority.global.L2::evict_normal [%rd1], 128;"}) {
    EXPECT_EQ(classify_ptx(std::string("\n\t") + inert + "\n\tret;\n").body, Body::inert) << inert;
  }
  for (const auto* code : {"st.global.u32 [%rd1], 1;", "sured.b.add.1d.u32.trap [s, {%r1}], %r2;",
                           "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;",
                           "multimem.red.add.u32 [%rd1], 1;", "invented.op [%rd1];"}) {
    EXPECT_EQ(classify_ptx(std::string("\n\t") + code + "\n\tret;\n").body, Body::code) << code;
  }
  EXPECT_TRUE(classify_ptx("\n\t@%p1 st.global.f32 [%rd1], %f1;\n\tret;\n").stores);
  EXPECT_TRUE(classify_ptx("\n\tred.global.add.u32 [%rd1], 1;\n\tret;\n").stores);
  EXPECT_FALSE(classify_ptx("\n\tmov.u32 %r1, 1;\n\tret;\n").stores);
  EXPECT_EQ(classify_ptx("\n\tbrkpt;\n\tret;\n").body, Body::trap);
  EXPECT_FALSE(classify_ptx("\n\tst.local.u32 [%rd1], 1;\n\tret;\n").stores);
  EXPECT_TRUE(classify_ptx("\n\tst.u32 [%rd1], 1;\n\tret;\n").stores);
}

TEST(Ptx, CallsAreFollowed) {
  const auto kernels =
      parse_ptx(
          Bytes(std::string_view(
              ".version 9.0\n.target sm_80\n"
              ".extern .func  (.param .b32 r) vprintf\n(\n\t.param .b64 a,\n\t.param .b64 b\n)\n;\n"
              ".extern .func elsewhere();\n"
              ".func inner(.param .b32 n)\n{\n\t{ // callseq\n\tst.param.b64 [param0+0], %rd6;\n"
              "\tcall.uni (retval0), \n\tvprintf, \n\t(\n\tparam0, "
              "\n\tparam1\n\t);\n\t}\n\tret;\n}\n"
              ".func outer()\n{\n\tcall.uni inner, (p);\n\ttrap;\n\tret;\n}\n"
              ".func writes()\n{\n\tst.global.u32 [%rd1], 1;\n\tcall.uni writes, ();\n\tret;\n}\n"
              ".visible .entry prints()\n{\n\tcall.uni (retval0), vprintf, (p0, p1);\n\tret;\n}\n"
              ".visible .entry asserts()\n{\n\t@%p1 bra $L;\n\tcall.uni __assertfail, "
              "(p0);\n$L:\n\tret;\n}\n"
              ".visible .entry guarded()\n{\n\tcall.uni outer, ();\n\tret;\n}\n"
              ".visible .entry written()\n{\n\tcall.uni inner, (p);\n\tcall.uni writes, "
              "();\n\tret;\n}\n"
              ".visible .entry unknown()\n{\n\tcall.uni elsewhere, ();\n\tret;\n}\n"
              ".visible .entry pointer()\n{\n\tcall (r), %rd1, (p), prototype_0;\n\tret;\n}\n")))
          .kernels;
  ASSERT_EQ(kernels.size(), 6U);
  EXPECT_EQ(kernels[0].body, Body::print);
  EXPECT_EQ(kernels[1].body, Body::assertion);
  EXPECT_EQ(kernels[2].body, Body::print_trap);
  for (std::size_t index = 0; index < 3; ++index) EXPECT_FALSE(kernels[index].stores) << index;
  for (std::size_t index = 3; index < 6; ++index) {
    EXPECT_EQ(kernels[index].body, Body::code) << index;
    EXPECT_TRUE(kernels[index].stores) << index;
    EXPECT_EQ(kernels[index].may_store, index != 3) << index;
  }
}

TEST(Ptx, EntriesOfCommentsAreNone) {
  const auto ptx = parse_ptx(Bytes(std::string_view(
      "//\n.version 8.4\n.target sm_90a\n// .visible .entry ghost(\n/* .entry ghost2( */\n"
      ".visible .entry _Z1kPf(\n\t.param .u64 p\n)\n{\n\tret;\n}\n.weak .entry plain{ret;}\n")));
  EXPECT_EQ(ptx.isa, "8.4");
  EXPECT_EQ(ptx.arch.text(), "90a");
  ASSERT_EQ(ptx.kernels.size(), 2U);
  EXPECT_EQ(ptx.kernels[0].name, "_Z1kPf");
  EXPECT_EQ(ptx.kernels[1].name, "plain");
}

TEST(Ptx, WithoutTargetOrVersionIsUnreadable) {
  EXPECT_THROW(parse_ptx(Bytes(std::string_view(".target sm_90\n"))), Unreadable);
  EXPECT_THROW(parse_ptx(Bytes(std::string_view(".version 8.0\n.target texmode\n"))), Unreadable);
  EXPECT_THROW(parse_ptx(Bytes(std::string_view(".version 8.0\n.target sm_90x\n"))), Unreadable);
}

}  // namespace
}  // namespace archgrid::fatbin
