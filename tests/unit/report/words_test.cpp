// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests sentences against the data that they describe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/words.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "style.hpp"

namespace archgrid::tests {
namespace {

using coverage::Facts;
using coverage::Reason;
using coverage::ReasonDetail;
using coverage::Why;
using fatbin::Body;
using fatbin::Kind;
using ::testing::HasSubstr;

coverage::Driver driver_560() {
  return {"driver 560", {12, 6}, {8, 5}, false};
}

Reason reason_of(Why why, Kind kind, fatbin::Arch arch, ReasonDetail detail = {}) {
  Reason reason;
  reason.why = why;
  reason.kind = kind;
  reason.arch = arch;
  reason.body = why == Why::idle ? Body::print_trap : Body::unknown;
  reason.objects = why == Why::relinked ? 3 : 0;
  reason.detail = std::make_shared<const ReasonDetail>(std::move(detail));
  return reason;
}

struct Sentence {
  Reason reason;
  std::string text;
};

std::vector<Sentence> sentences() {
  const fatbin::Arch plain{80, '\0'};
  const fatbin::Arch suffixed{90, 'a'};
  return {
      {reason_of(Why::machine_code, Kind::sass, plain), "sm_80 machine code also loads on 8.6"},
      {reason_of(Why::machine_code, Kind::sass, {86, '\0'}), "sm_86 machine code is for 8.6"},
      {reason_of(Why::ptx, Kind::ptx, plain), "compute_80 PTX is compiled for 8.6 at load time"},
      {reason_of(Why::ptx_without_isa, Kind::ptx, plain), "compute_80 PTX names no ISA version"},
      {reason_of(Why::ptx_beyond_table, Kind::ptx, plain, {"9.9", "", driver_560()}),
       "compute_80 PTX has ISA 9.9; driver 560 is newer than archgrid's table"},
      {reason_of(Why::ptx_too_new, Kind::ptx, plain, {"9.0", "", driver_560()}),
       "compute_80 PTX has ISA 9.0, but driver 560 reads 8.5 at most"},
      {reason_of(Why::no_image, Kind::other, {}), "none of its code runs on 8.6"},
      {reason_of(Why::disagreement, Kind::sass, plain),
       "sources disagree whether sm_80 machine code loads on 8.6"},
      {reason_of(Why::opaque, Kind::lto, plain),
       "only LTO-IR for 80, which archgrid cannot judge, may serve 8.6"},
      {reason_of(Why::suffix, Kind::sass, suffixed),
       "sm_90a would run on 8.6 without its suffix 'a'"},
      {reason_of(Why::unreadable, Kind::sass, plain, {"cut off", "", {}}),
       "the sm_80 image, which would serve 8.6, could not be read: cut off"},
      {reason_of(Why::undefined, Kind::ptx, plain, {"_Z1ff", "", {}}),
       "its compute_80 PTX uses f(float), which no file that was audited defines (-rdc=true)"},
      {reason_of(Why::idle, Kind::sass, plain),
       "its sm_80 body only prints and traps, while another of its bodies stores to memory"},
      {reason_of(Why::twins, Kind::sass, plain),
       "its module has several sm_80 images, and only some hold it"},
      {reason_of(Why::lacking, Kind::sass, plain),
       "8.6 takes the sm_80 image of its module, which lacks it"},
      {reason_of(Why::no_object, Kind::other, {}), "no relocatable object holds it for 8.6"},
      {reason_of(Why::relinked, Kind::other, {}),
       "the 3 relocatable objects are compiled and linked for 8.6 at load time"},
      {reason_of(Why::object_opaque, Kind::lto, {}, {"", "a.cu", {}}),
       "no linked image serves 8.6; archgrid cannot judge whether the LTO-IR of a.cu can be linked "
       "anew"},
      {reason_of(Why::object_without_ptx, Kind::other, {}, {"", "a.cu", {}}),
       "no linked image serves 8.6, and a.cu has no PTX to link anew"},
      {reason_of(Why::object_unreadable, Kind::ptx, plain, {"cut off", "a.cu", {}}),
       "the compute_80 image of a.cu could not be read: cut off"},
  };
}

TEST(ReasonText, IsOneSentenceForEachReason) {
  for (const auto& [reason, text] : sentences()) {
    EXPECT_EQ(report::reason_text(reason, "8.6"), text);
  }
}

TEST(ReasonText, SaysWhatHostCodePicksFrom) {
  auto reason = reason_of(Why::no_image, Kind::other, {});
  reason.picked_from = 4;
  EXPECT_EQ(report::reason_text(reason, "9.0"),
            "none of its code runs on 9.0 (the best of 4 containers that host code picks "
            "from)");
  reason.implementations = 2;
  EXPECT_THAT(report::reason_text(reason, "9.0"), HasSubstr("which hold 2 programs of this name"));
  reason.is_of_one_link = true;
  EXPECT_THAT(report::reason_text(reason, "9.0"), HasSubstr("part of this one of several links"));
}

TEST(Reason, IsEqualToItselfAndLessThanNoEqual) {
  const auto all = sentences();
  for (const auto& left : all) {
    for (const auto& right : sentences()) {
      const bool same = left.text == right.text;
      EXPECT_EQ(left.reason == right.reason, same) << left.text << " and " << right.text;
      if (same) {
        EXPECT_EQ(hash_of(left.reason), hash_of(right.reason)) << left.text;
        EXPECT_FALSE(left.reason < right.reason || right.reason < left.reason) << left.text;
      } else {
        EXPECT_NE(left.reason < right.reason, right.reason < left.reason) << left.text;
      }
    }
  }
  auto other = all[5].reason;
  other.detail = std::make_shared<const ReasonDetail>(ReasonDetail{"9.0", "", std::nullopt});
  EXPECT_FALSE(other == all[5].reason) << "another driver";
}

coverage::Finding finding_of(const std::string& code, Facts facts) {
  coverage::Finding finding;
  finding.code = code;
  finding.device = "7.0";
  finding.facts = std::move(facts);
  return finding;
}

TEST(FindingText, NamesItsFacts) {
  const auto stripped = finding_of("stripped", {{"fat-binaries", "2"}, {"offset", "64"}});
  EXPECT_THAT(report::message_of(stripped),
              HasSubstr("2 fat binaries are registered with the CUDA runtime but are not in the "
                        "file (the first at offset 0x40)"));
  const auto misnamed = finding_of("misnamed", {{"named", "90"}, {"archs", "80, 86"}});
  EXPECT_THAT(report::message_of(misnamed), HasSubstr("but its code is for 80 and 86"));
  EXPECT_EQ(report::fix_of(misnamed), "compile it for 90, or name it for 80 and 86");
  const auto other_cpu = finding_of("other-cpu", {{"cpu", "x86_64"}, {"board-cpu", "aarch64"}});
  EXPECT_THAT(report::message_of(other_cpu), HasSubstr("on boards with aarch64 CPUs alone"));
  auto degraded = finding_of("gpu-degraded", {{"baseline", "old.json"}});
  degraded.devices = {{9, 0}};
  EXPECT_EQ(report::message_of(degraded),
            "by old.json its files had machine code for 9.0 (H100, H200), and now only PTX serves "
            "it: a slow first start");
  EXPECT_THAT(report::fix_of(degraded), HasSubstr("compile for 90 "));
  auto lost = finding_of("gpu-lost", {{"baseline", "old.json"}});
  lost.devices = {{6, 0}, {6, 1}, {7, 0}};
  EXPECT_EQ(report::message_of(lost),
            "by old.json its files ran on 6.0, 6.1 and 7.0, and now they do not");
  EXPECT_THAT(report::fix_of(lost), HasSubstr("compile for 60, 61, 70 by a CUDA release that can"));
  EXPECT_EQ(report::message_of(finding_of(
                "unused-ignore", {{"place", "ignore[0]"}, {"pattern", "*k*"}, {"only", "stub"}})),
            "ignore[0]: \"*k*\" matches no error with the code stub");
  const auto fix_with = [&](Facts facts) {
    facts.insert({{"place", ""}, {"pattern", "k"}, {"only", "file-lacks-arch"}});
    return report::fix_of(finding_of("unused-ignore", facts));
  };
  EXPECT_EQ(fix_with({{"code", "missing"}, {"wide", "missing:k"}, {"promise", "yes"}}),
            "with a promise the code is missing: write \"missing:k\"");
  EXPECT_EQ(fix_with({{"code", "missing"}, {"wide", "missing:k"}}),
            "there the code is missing: write \"missing:k\"");
  EXPECT_EQ(fix_with({{"wide", "file-lacks-arch:*k*"}}),
            "a pattern is of a whole name: write \"file-lacks-arch:*k*\"");
  EXPECT_EQ(fix_with({}), "take the entry out, or correct its pattern");
  EXPECT_THAT(report::message_of(finding_of("nothing-judged", {{"accept", "native"}})),
              HasSubstr("on no device most kernels of a file are native"));
}

TEST(FindingText, SpeaksOfAPromiseOnlyWhereOneWasMade) {
  Facts facts = {{"place", ""}, {"driver", "driver 590"}, {"branch", "580"}};
  const auto promised = finding_of("driver-too-new-for-gpu", facts);
  EXPECT_THAT(report::message_of(promised),
              HasSubstr("driver 590, which is promised, does not know 7.0: "));
  EXPECT_THAT(report::fix_of(promised), HasSubstr("do not promise 7.0"));
  facts["asked"] = "yes";
  const auto asked = finding_of("driver-too-new-for-gpu", facts);
  EXPECT_EQ(report::message_of(asked),
            "driver 590 does not know 7.0: driver 580 is the last that does");
  EXPECT_EQ(report::fix_of(asked), "install driver 580 or older for 7.0");
}

TEST(FindingText, RefusesFactsThatAreMissing) {
  EXPECT_THROW(report::message_of(finding_of("stripped", {{"offset", "64"}})), std::logic_error);
  EXPECT_THROW(report::message_of(finding_of("no-such-code", {})), std::logic_error);
}

TEST(NoteText, NamesItsFacts) {
  const auto text = [](const std::string& code, Facts facts) {
    coverage::Note note;
    note.code = code;
    note.facts = std::move(facts);
    return report::message_of(note);
  };
  EXPECT_EQ(text("obfuscated", {{"images", "1"}, {"of", "4"}}),
            "the content of 1 of 4 images is hidden on purpose");
  EXPECT_EQ(text("gpus-between", {{"gpus", "10.0, 10.3"}}),
            "nothing runs on 10.0, 10.3, though older and newer GPUs are served");
  EXPECT_EQ(text("gpus-left-out", {{"source", "variant.json"}, {"gpus", "7.0"}}),
            "not judged, as the package is not for them by its variant.json: 7.0");
  EXPECT_THAT(text("metadata-not-read", {{"source", "variant.json"}}),
              HasSubstr("what it says of GPUs does not count"));
  EXPECT_EQ(text("driver-may-be-too-old", {{"driver", "driver 450"}, {"variant", "yes"}}),
            "too new for driver 450, which loads others of the package with the same kernels");
  EXPECT_THAT(
      text("driver-may-be-too-old",
           {{"driver", "driver 450"}, {"compression", "zstd"}, {"gpus", "8.0"}, {"needs", "550"}}),
      HasSubstr("with driver 450 host code has to pick other code"));
  EXPECT_THAT(text("picked-by-host", {{"kernels", "1"}, {"of", "2"}, {"server", "k90.cubin"}}),
              HasSubstr("(the first is k90.cubin)"));
  const auto fewer = [&](const std::string& kernels, const std::string& places) {
    return text("promised-on-fewer-devices",
                {{"kernels", kernels}, {"of", "9"}, {"gpus", "8.0"}, {"places", places}});
  };
  EXPECT_EQ(fewer("1", "promises[1]"),
            "1 of 9 kernels is promised by promises[1] alone, and so not on 8.0");
  EXPECT_EQ(fewer("2", "promises[1], promises[2]"),
            "2 of 9 kernels are promised by promises[1], promises[2] alone, and so not on 8.0");
  EXPECT_THROW(text("no-such-code", {}), std::logic_error);
}

TEST(Wrapped, KeepsWhatReadersPasteOnOneLine) {
  const std::string entry = R"({"kernel": "k<1, 2>", "devices": ["7.5"], "reason": "..."})";
  EXPECT_THAT(report::wrapped("ignore it: " + entry + " in the file", "  ", 40),
              HasSubstr("\n  " + entry + "\n"));
  const std::string command = "cmake --build 'a tree' --target cu135-fat";
  EXPECT_EQ(report::wrapped("build it again: " + command + "; or not", "  ", 30),
            "  build it again:\n  " + command + ";\n  or not\n");
  const std::string option = "--ignore 'k<1, 2>(int, int)=...'";
  const std::string audit = "archgrid audit pypi:torch --gpu 9.0,12.0 --driver 580";
  EXPECT_EQ(report::wrapped("note: not judged: " + audit, "", 40),
            "note: not judged:\n" + audit + "\n");
  EXPECT_EQ(report::wrapped("ignore it: " + option + " (or not)", "", 20),
            "ignore it:\n" + option + "\n(or not)\n");
  EXPECT_EQ(report::wrapped("look at the `#if __CUDA_ARCH__` guards", "", 20),
            "look at the\n`#if __CUDA_ARCH__`\nguards\n");
}

TEST(UnservedText, SaysThatPtxWasNotWanted) {
  const coverage::Unserved unserved{{9, 0},
                                    coverage::Unserved::Barrier::no_code,
                                    {{"accept", "native, jit"}, {"ptx", "never"}},
                                    {}};
  EXPECT_EQ(report::reason_text(unserved, {11, 4}),
            "nothing that CUDA 11.4 compiles is native or jit there, without PTX");
}

}  // namespace
}  // namespace archgrid::tests
