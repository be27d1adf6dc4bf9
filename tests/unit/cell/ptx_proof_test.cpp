// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests PTX with a stand-in for ptxas that refuses "griddepcontrol".
#include <gmock/gmock.h>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;

const std::string kHead = "\n.version 7.0\n.target sm_80\n.address_size 64\n";
const std::string kGood = kHead + ".visible .entry good(\n)\n{\n\tret;\n}\n";
const std::string kBad =
    kHead + ".visible .entry _Z3badv(\n)\n{\n\tgriddepcontrol.wait;\n\tret;\n}\n";

/// Makes the root of a toolkit whose ptxas records each call in `calls`.
fs::path toolkit_with_ptxas(const std::string& more = "") {
  const auto root = folder();
  fs::create_directories(root / "build");
  write(root / "bin/ptxas", "#!/bin/sh\necho \"$@\" >> '" + (root / "calls").string() + "'\n" +
                                more +
                                "tr -d '\\000' < \"$3\" | cmp -s - \"$3\" || exit 255\n"
                                "if grep -q griddepcontrol \"$3\"; then\n"
                                "  echo \"ptxas $3, line 8; error   : Instruction 'griddepcontrol' "
                                "requires .target sm_90 or higher\" >&2\n"
                                "  echo 'ptxas fatal   : Ptx assembly aborted due to errors' >&2\n"
                                "  exit 255\nfi\n");
  fs::permissions(root / "bin/ptxas", fs::perms::owner_all);
  return root;
}

std::size_t calls_of(const fs::path& root) {
  std::ifstream stream(root / "calls");
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) ++count;
  return count;
}

fatbin::Image ptx_image(const std::string& isa = "7.0", const std::string& arch = "80") {
  fatbin::Image image;
  image.kind = fatbin::Kind::ptx;
  image.arch = coverage::parse_arch(arch).value();
  image.ptx_isa = isa;
  return image;
}

cell::Spec ptx_spec(const std::string& toolkit = "13.5") {
  cell::Spec result;
  result.toolkit = coverage::parse_version(toolkit).value();
  return result;
}

TEST(PtxProof, NamesFileKernelErrorAndFix) {
  const auto root = toolkit_with_ptxas();
  cell::PtxProof proof(ptx_spec(), root, root / "build");
  proof.add("a.cu.o", ptx_image(), kGood + '\0');
  proof.add("b.cu.o", ptx_image(), kBad + '\0');
  const auto reason = proof.refused();
  EXPECT_THAT(reason, HasSubstr("no driver compiles the PTX for 80 of b.cu.o: ptxas of CUDA 13.5 "
                                "says of bad(): Instruction 'griddepcontrol' requires"));
  EXPECT_THAT(reason, HasSubstr("guard the code with `#if __CUDA_ARCH__`"));
}

TEST(PtxProof, AsksOnceForEachTextAndRemembersWhatWasAccepted) {
  const auto root = toolkit_with_ptxas();
  const auto build = root / "build";
  {
    cell::PtxProof proof(ptx_spec(), root, build);
    for (const auto* output : {"a.cu.o", "b.cu.o"}) proof.add(output, ptx_image(), kGood);
    EXPECT_EQ(proof.refused(), "");
  }
  EXPECT_EQ(calls_of(root), 1U);
  cell::PtxProof proof(ptx_spec(), root, build);
  proof.add("a.cu.o", ptx_image(), kGood);
  EXPECT_EQ(proof.refused(), "");
  EXPECT_EQ(calls_of(root), 1U);
}

TEST(PtxProof, LeavesOutWhatThisPtxasCannotJudge) {
  const auto root = toolkit_with_ptxas();
  cell::PtxProof proof(ptx_spec("11.8"), root, root / "build");
  proof.add("newer.ptx", ptx_image("9.0"), kBad);
  proof.add("unknown.ptx", ptx_image("7.0", "120"), kBad);
  EXPECT_EQ(proof.refused(), "");
  EXPECT_EQ(calls_of(root), 0U);
  cell::PtxProof without(ptx_spec(), root / "none", root / "build");
  without.add("b.cu.o", ptx_image(), kBad);
  EXPECT_EQ(without.refused(), "") << "no ptxas";
}

TEST(PtxProof, WhatTheOptimiserAcceptsIsAccepted) {
  const auto root = toolkit_with_ptxas("[ \"$1\" = -O0 ] || exit 0\n");
  cell::PtxProof proof(ptx_spec(), root, root / "build");
  proof.add("b.cu.o", ptx_image(), kBad);
  EXPECT_EQ(proof.refused(), "");
  EXPECT_EQ(calls_of(root), 2U);
}

TEST(PtxProof, AKernelThatDoesNotFitIsRefused) {
  // ptxas itself checks shared memory only without -c.
  const std::string refuse =
      "echo \"ptxas error   : Entry function '_Z4goodv' uses too much shared data\"; exit 255\n";
  const auto root = toolkit_with_ptxas("[ \"$6\" = -c ] || { " + refuse + "}\n");
  cell::PtxProof proof(ptx_spec(), root, root / "build");
  proof.add("a.cu.o", ptx_image(), kGood);
  const auto reason = proof.refused();
  EXPECT_THAT(reason, HasSubstr("says of it: Entry function '_Z4goodv' uses too much shared data"));
  EXPECT_THAT(reason, HasSubstr("make the kernel fit"));
}

TEST(PtxProof, ThePtxOfAnObjectMayCallOthers) {
  const std::string refuse =
      "echo \"ptxas fatal   : Unresolved extern function '_Z1fv'\"; exit 255\n";
  const auto root = toolkit_with_ptxas("[ \"$6\" = -c ] || { " + refuse + "}\n");
  cell::PtxProof proof(ptx_spec(), root, root / "build");
  proof.add("a.ptx", ptx_image(), kGood);
  EXPECT_EQ(proof.refused(), "");
  EXPECT_EQ(calls_of(root), 2U);
  auto part = ptx_image();
  part.section = "__nv_relfatbin";
  proof.add("b.cu.o", part, kGood + " ");
  EXPECT_EQ(proof.refused(), "");
  EXPECT_EQ(calls_of(root), 4U) << "both by -c alone";
}

TEST(PtxProof, AFailureThatIsNotAboutThePtxIsNone) {
  const auto root =
      toolkit_with_ptxas("echo 'ptxas fatal   : Memory allocation failure'; exit 1\n");
  cell::PtxProof proof(ptx_spec(), root, root / "build");
  proof.add("a.cu.o", ptx_image(), kGood);
  EXPECT_EQ(proof.refused(), "");
  EXPECT_FALSE(fs::exists(root / "build/archgrid.ptx") &&
               fs::file_size(root / "build/archgrid.ptx") > 0)
      << "nor was it accepted";
}

TEST(PtxProof, IsOfferedPtxWithoutMachineCodeForItsArch) {
  const auto root = toolkit_with_ptxas();
  const auto build = root / "build";
  write(build / "bad.ptx", kBad);
  write(build / "build.ninja", "build bad.ptx: CUSTOM_COMMAND /s/k.cu\n  COMMAND = nvcc -ptx\n");
  cell::PtxProof proof(ptx_spec(), root, build);
  cell::compiled_units(build, &proof);
  EXPECT_THAT(proof.refused(), HasSubstr("of bad.ptx: "));
}

}  // namespace
}  // namespace archgrid::tests
