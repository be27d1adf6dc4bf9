// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/words.hpp>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string newer_of(const File& file) {
  const auto newer = coverage::newer_gpus(file, coverage::ImageSelector(file));
  return newer ? report::newer_text(*newer) : std::string();
}

TEST(Newer, GpusAreServedByPtxWithoutASuffix) {
  EXPECT_EQ(newer_of(file_of({sass("80"), sass("90"), ptx("90")})),
            "GPUs newer than 9.0 are served by PTX compute_90 (JIT)");
  EXPECT_EQ(newer_of(file_of({sass("80"), ptx("75"), ptx("80")})),
            "GPUs newer than 8.9 are served by PTX compute_80 (JIT)")
      << "machine code for 8.0 runs on 8.9";
}

TEST(Newer, GpusGetNothingWithoutPtx) {
  EXPECT_EQ(newer_of(file_of({sass("80"), sass("90")})), "no PTX: GPUs newer than 9.0 get nothing");
  EXPECT_EQ(newer_of(file_of({sass("90a"), ptx("90a")})),
            "no PTX but compute_90a, for its own GPU or family: GPUs newer than 9.0 get nothing");
}

TEST(Newer, GpusGetPtxWhoseBodiesDoNoWork) {
  const auto idle = [](const std::string& name) { return kernel(name, Body::empty); };
  EXPECT_EQ(newer_of(file_of({ptx("80", "8.4", {idle("k")}), sass("90a")})),
            "GPUs newer than 9.0 compile compute_80 PTX, in which the body of 1 kernel does no "
            "work: nothing works there");
  EXPECT_EQ(newer_of(file_of({ptx("80", "8.4", {idle("a"), idle("b"), kernel("c")}),
                              sass("90a", {kernel("a"), kernel("b"), kernel("c")})})),
            "GPUs newer than 9.0 are served by PTX compute_80 (JIT) for 1 of 3 kernels only, and 2 "
            "more do nothing in that PTX");
}

TEST(Newer, MachineCodeThatDoesNoWorkIsNoPtx) {
  EXPECT_EQ(newer_of(file_of({sass("80", {kernel("k")}), sass("90", {kernel("k", Body::empty)})})),
            "no PTX: GPUs newer than 8.9 get nothing");
}

TEST(Newer, GpusBetweenMachineCodeAndPtxGetNothing) {
  const auto text = newer_of(file_of({sass("80"), ptx("120")}));
  EXPECT_THAT(text,
              HasSubstr("GPUs newer than 8.9 are served by PTX compute_120 (JIT), but 9.0, "));
  EXPECT_THAT(text, HasSubstr(" get nothing"));
  EXPECT_THAT(text, Not(HasSubstr("12.0")));
}

TEST(Newer, GpusOfArmBoardsAreNotOfX86Files) {
  auto file = file_of({sass("120"), sass("121")});
  EXPECT_EQ(newer_of(file), "no PTX: GPUs newer than 12.1 get nothing");
  file.host_cpu = "x86-64";
  EXPECT_EQ(newer_of(file), "no PTX: GPUs newer than 12.0 get nothing");
  file = file_of({sass("80"), ptx("120")});
  file.host_cpu = "x86-64";
  EXPECT_THAT(newer_of(file), Not(HasSubstr("11.0")))
      << "9.0 and others get nothing, and 11.0 is never met";
}

TEST(Newer, PtxForAFamilyServesItAlone) {
  const auto text = newer_of(file_of({sass("90a"), ptx("100f")}));
  EXPECT_THAT(text, HasSubstr("GPUs newer than 9.0 are served by PTX compute_100f (JIT), but only "
                              "10.0, 10.3"));
}

TEST(Newer, ALinkWithoutPtxMayBeMadeAnew) {
  File file;
  add_module(file, {sass("80")}).linked = true;
  add_module(file, {sass("80"), sass("90")}).relocatable = true;
  EXPECT_THAT(newer_of(file),
              HasSubstr("served by relocatable machine code, linked anew at load time "
                        "(JIT), but only 9.0"));
}

TEST(Newer, WhatIsNotKnownIsSaid) {
  EXPECT_THAT(newer_of(file_of({sass("80"), lto("80")})),
              HasSubstr("what GPUs newer than 8.9 get is not known: only LTO-IR for 80, which "
                        "archgrid cannot judge, may serve them"));
  EXPECT_THAT(newer_of(file_of({sass("80"), unreadable(ptx("80"))})),
              HasSubstr("what GPUs newer than 8.9 get is not known: "));
}

TEST(Newer, KernelsMayFareDifferently) {
  auto file = file_of({sass("90", {kernel("a"), kernel("b")}), ptx("90", "8.4", {kernel("a")})});
  EXPECT_EQ(newer_of(file),
            "GPUs newer than 9.0 are served by PTX compute_90 (JIT) for 1 of 2 kernels only");
  EXPECT_THAT(newer_of(file_of({ptx("90")})), IsEmpty()) << "no machine code to be newer than";
  EXPECT_THAT(newer_of(file_of({})), IsEmpty());
}

TEST(Newer, AnAuditWithoutAPromiseSaysIt) {
  coverage::Request request;
  request.accept_without_promise = coverage::default_verdicts();
  std::vector<File> files;
  files.push_back(file_of({sass("90"), ptx("90")}));
  const auto audit = coverage::audit(files, request);
  ASSERT_EQ(audit.notes.size(), 1U);
  EXPECT_EQ(audit.notes[0].code, "newer-gpus");
  EXPECT_THAT(report::message_of(audit.notes[0]), HasSubstr("compute_90"));
  request.accept_without_promise.reset();
  request.promises.emplace_back();
  request.promises[0].devices = {device("9.0")};
  EXPECT_THAT(coverage::audit(files, request).notes, IsEmpty());
}

}  // namespace
}  // namespace archgrid::tests
