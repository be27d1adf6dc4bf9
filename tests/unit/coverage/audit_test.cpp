// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Request;
using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Audit, HoldsWhereEveryDeviceIsServed) {
  const auto result = audit_one(file_of({sass("80"), sass("90")}), request({"8.0", "8.6", "9.0"}));
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.errors.empty());
  ASSERT_EQ(result.files.at(0).rows.size(), 1U);
  for (const auto& field : result.files[0].rows[0].fields) EXPECT_EQ(field.state, State::kept);
}

TEST(Audit, NamesKernelDeviceCellUnitAndFix) {
  auto file = file_of({sass("80")});
  file.modules[0].unit = "gemm_tile_64.cu";
  auto wanted = request({"8.0", "9.0"});
  wanted.cell = "cu130-fat";
  wanted.options = coverage::Options::cmake;
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& finding = result.findings[0];
  EXPECT_EQ(finding.code, "missing");
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.device, "9.0");
  EXPECT_EQ(finding.cell, "cu130-fat");
  EXPECT_EQ(finding.path, "libx.so");
  EXPECT_EQ(report::fix_of(finding),
            "compile gemm_tile_64.cu of libx.so for 90 too: add 90 to the CUDA_ARCHITECTURES of "
            "the target that compiles it");
}

/// Returns a file that host code loads.
File loaded_file(const std::string& name, std::vector<Image> images) {
  auto file = file_of(std::move(images));
  file.path = name;
  file.format = "cubin";
  file.modules[0].registered = false;
  file.modules[0].section.clear();
  return file;
}

TEST(Audit, OfFilesWithOneImageInACellTheBestCounts) {
  const std::vector<File> files = {loaded_file("k80.cubin", {sass("80")}),
                                   loaded_file("k90.cubin", {sass("90")})};
  auto wanted = request({"8.0", "9.0"});
  EXPECT_EQ(coverage::audit(files, wanted).findings.size(), 2U) << "of which cell is unknown";
  wanted.cell = "cu130-fat";
  const auto result = coverage::audit(files, wanted);
  EXPECT_TRUE(result.findings.empty());
  for (const auto& field : result.files.at(0).rows.at(0).fields) {
    EXPECT_EQ(field.state, State::kept);
    EXPECT_EQ(field.verdict, Verdict::native);
  }
  ASSERT_EQ(result.notes.size(), 2U);
  EXPECT_EQ(result.notes[0].code, "picked-by-host");
  EXPECT_THAT(report::message_of(result.notes[0]), HasSubstr("1 of 1 kernels"));
  EXPECT_THAT(report::message_of(result.notes[0]), HasSubstr("k90.cubin"));
}

TEST(Audit, WhatNoFileOfACellServesIsAFinding) {
  auto wanted = request({"8.0", "9.0", "12.0"});
  wanted.cell = "cu130-fat";
  const auto result = coverage::audit(
      {loaded_file("k80.cubin", {sass("80")}), loaded_file("k90.cubin", {sass("90")}),
       loaded_file("other.cubin", {sass("120", {kernel("other")})})},
      wanted);
  std::vector<std::string> found;
  for (const auto& finding : result.findings) {
    found.push_back(finding.kernel.str() + " on " + finding.device);
  }
  EXPECT_THAT(found,
              ::testing::ElementsAre("k on 12.0", "k on 12.0", "other on 8.0", "other on 9.0"));
}

/// Returns the findings of one cell's files, promised on 8.0, 8.6 and 9.0: file, code and device.
std::vector<std::string> found_in_cell(const std::vector<File>& files) {
  auto wanted = request({"8.0", "8.6", "9.0"});
  wanted.cell = "cu130-fat";
  std::vector<std::string> found;
  for (const auto& finding : coverage::audit(files, wanted).findings) {
    found.push_back(finding.path + " " + finding.code + " " + finding.device);
  }
  return found;
}

TEST(Audit, FilesNamedForTheArchsThatTheyServeAreOneSet) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"sm80/k.cubin", "sm90/k.cubin"},
           {"k_80.cubin", "k_90a.cubin"},
           {"cells/sm90/compute_80.ptx", "cells/sm90/sm_90.cubin"},
           {"k-8.0.cubin", "k-9.0.cubin"},
           {"ampere.cubin", "Hopper.cubin"},
           {"a100.cubin", "h100.cubin"},
           {"k.cubin", "k.ptx"},
           {"k.cubin", "k_sm90.cubin"},
           {"fallback.cubin", "sm_90.cubin"}}) {
    EXPECT_TRUE(
        found_in_cell({loaded_file(one, {sass("80")}), loaded_file(other, {sass("90")})}).empty())
        << one << " and " << other;
  }
}

TEST(Audit, FilesWhoseNamesNameNoArchStandForThemselves) {
  for (const auto& [one, other] :
       std::vector<std::pair<std::string, std::string>>{{"gemm_tile64.cubin", "gemm_tile128.cubin"},
                                                        {"ops/relu.cubin", "ops/gelu.cubin"},
                                                        {"relu_sm80.cubin", "gelu_sm90.cubin"},
                                                        {"k90.cubin", "k80.cubin"}}) {
    EXPECT_EQ(found_in_cell({loaded_file(one, {sass("80")}), loaded_file(other, {sass("90")})}),
              (std::vector<std::string>{one + " missing 9.0", other + " missing 8.0",
                                        other + " missing 8.6"}))
        << one << " and " << other;
  }
}

TEST(Audit, AFileNamedForAGpuThatItDoesNotServeIsAFinding) {
  const auto files_with = [](const std::string& name, const std::string& arch) {
    return std::vector<File>{loaded_file("sm_80.cubin", {sass("80")}),
                             loaded_file(name, {sass(arch)}),
                             loaded_file("sm_90.cubin", {sass("90")})};
  };
  const auto found = found_in_cell(files_with("sm_86.cubin", "90"));
  EXPECT_THAT(found, ::testing::Contains("sm_86.cubin misnamed "));
  EXPECT_TRUE(found_in_cell(files_with("sm_86.cubin", "86")).empty());
  EXPECT_TRUE(found_in_cell(files_with("sm_86.cubin", "80")).empty()) << "8.6 runs 80";
  // 7.5 is not promised.
  EXPECT_THAT(found_in_cell(files_with("sm_75.cubin", "90")),
              ::testing::Not(::testing::Contains("sm_75.cubin misnamed ")));
}

TEST(Audit, TileSizesAreNoArchs) {
  std::vector<File> files;
  for (const auto* size : {"80", "86", "90", "100"}) {
    files.push_back(loaded_file(std::string("n") + size + ".ptx", {ptx("80")}));
    files.push_back(loaded_file(std::string("n") + size + ".cubin", {sass("90")}));
  }
  for (const auto& finding : found_in_cell(files)) {
    EXPECT_THAT(finding, ::testing::Not(HasSubstr("misnamed")));
  }
}

/// Returns a library with a kernel for one arch.
File library_for(const std::string& path, const std::string& arch) {
  auto file = file_of({sass(arch)});
  file.path = path;
  file.format = "shared object";
  return file;
}

/// Returns a program without device code that is linked with a library.
File program_with(const std::string& library) {
  File file;
  file.path = "app";
  file.format = "executable";
  file.needed = {"libc.so.6", library};
  return file;
}

TEST(Audit, LibrariesThatALoaderPicksAreOneSet) {
  const std::vector<std::string> none;
  EXPECT_EQ(
      found_in_cell({library_for("cell-sm80/sm80/libops.so", "80"),
                     library_for("cell-sm80/sm90/libops.so", "90"), program_with("libm.so.6")}),
      none);
  EXPECT_EQ(found_in_cell({library_for("_qattn_sm80.abi3.so", "80"),
                           library_for("_qattn_sm90.abi3.so", "90")}),
            none);
  EXPECT_EQ(
      found_in_cell({library_for("libgemm.so", "80"), library_for("libconv.so", "90")}).size(), 3U);
  EXPECT_EQ(
      found_in_cell({library_for("sm80/libops.so", "80"), library_for("sm86/libops.so", "86")}),
      (std::vector<std::string>{"sm80/libops.so missing 9.0", "sm86/libops.so missing 9.0"}));
}

TEST(Audit, ALibraryThatAProgramIsLinkedWithIsNotPicked) {
  const std::vector<std::string> both = {
      "libops_sm80.so.1.2 missing 9.0", "libops_sm90.so missing 8.0", "libops_sm90.so missing 8.6"};
  for (const auto* needed : {"libops_sm80.so.1", "../lib/libops_sm80.so.1.2", "libops_sm90.so"}) {
    EXPECT_EQ(found_in_cell({library_for("libops_sm80.so.1.2", "80"),
                             library_for("libops_sm90.so", "90"), program_with(needed)}),
              both)
        << needed;
  }
  // A library that host code picks loads the libraries that it is linked with.
  auto plugin = library_for("plugin_sm80.so", "80");
  plugin.needed = {"libops_sm80.so"};
  EXPECT_EQ(
      found_in_cell({plugin, library_for("plugin_sm90.so", "90"),
                     library_for("libops_sm80.so", "80"), library_for("libops_sm90.so", "90")}),
      std::vector<std::string>{});
  plugin.path = "plugin.so";
  EXPECT_EQ(found_in_cell(
                {plugin, library_for("libops_sm80.so", "80"), library_for("libops_sm90.so", "90")})
                .size(),
            4U);
}

// Host code cannot pick kernels that another program registers.
TEST(Audit, AProgramsKernelStandsForNoCubins) {
  auto wanted = request({"8.0", "9.0"});
  wanted.cell = "cu130-fat";
  const auto result = coverage::audit(
      {loaded_file("k90.cubin", {sass("90")}), file_of({sass("80"), sass("90")})}, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].path, "k90.cubin");
  EXPECT_EQ(result.findings[0].device, "8.0");
}

TEST(Audit, AFatBinaryOfSeveralImagesStandsForItself) {
  auto wanted = request({"8.0", "9.0", "12.0"});
  wanted.cell = "cu130-fat";
  const auto result = coverage::audit(
      {loaded_file("k.fatbin", {sass("80"), sass("90")}), loaded_file("k120.cubin", {sass("120")})},
      wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].path, "k.fatbin");
  EXPECT_EQ(result.findings[0].device, "12.0");
}

TEST(Audit, JudgingNothingOfWhatIsPromisedIsAFinding) {
  auto wanted = request({"8.0"});
  wanted.promises[0].kernels = "ghost*";
  const auto result = audit_one(file_of({sass("80")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "nothing-judged");
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("none matches \"ghost*\""));
  wanted.promises[0].kernels = "k*";
  EXPECT_TRUE(audit_one(file_of({sass("80")}), wanted).findings.empty());
}

TEST(Audit, APromisedDeviceForWhichNoKernelIsJudgedIsAFinding) {
  auto wanted = request({"9.0"});
  wanted.promises.push_back(promise({"8.0"}));
  wanted.promises.back().kernels = "*";
  const auto result = audit_one(file_of({sass("80"), ptx("80")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "nothing-judged");
  EXPECT_EQ(result.findings[0].device, "9.0");
  EXPECT_THAT(report::message_of(result.findings[0]),
              HasSubstr("promises with \"kernels\" take them all"));
}

TEST(Audit, OnlyTheDevicesAskedForAreJudged) {
  auto wanted = request({"8.0", "9.0"});
  wanted.devices = {device("8.0")};
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_EQ(result.devices.size(), 1U);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Audit, OnlyTheDevicesThatTheArchServesAreJudged) {
  auto wanted = request({"8.0", "8.6", "9.0"});
  wanted.arch = "80";
  const auto result = audit_one(file_of({sass("80")}), wanted);
  EXPECT_EQ(result.devices.size(), 2U);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Audit, NoDeviceCodeInAnyInputIsAFinding) {
  EXPECT_EQ(audit_one(File{}, request({"9.0"})).findings.at(0).code, "no-device-code");
  std::vector<File> files;
  files.push_back(File{});
  files.push_back(file_of({sass("90")}));
  EXPECT_TRUE(coverage::audit(std::move(files), request({"9.0"})).findings.empty());
}

TEST(Audit, KernelsMissingFromReadableModulesAreNoDeviceCode) {
  EXPECT_EQ(audit_one(file_of({sass("90", {})}), request({"9.0"})).findings.at(0).code,
            "no-device-code");
}

TEST(Audit, StrippedFatBinariesAreAFinding) {
  auto file = file_of({sass("90")});
  file.dangling = {0x40};
  EXPECT_EQ(audit_one(file, request({"9.0"})).findings.at(0).code, "stripped");
}

TEST(Audit, LibrariesWithoutTheirDeviceLinkAreAFinding) {
  auto file = file_of({sass("90")});
  file.undefined_registrations = {"__cudaRegisterLinkedBinary_ad8985b6_4_a_cu_ka"};
  const auto result = audit_one(file, request({"9.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "not-device-linked");
  EXPECT_THAT(report::message_of(result.findings[0]),
              HasSubstr("its relocatable code (-rdc=true) of a.cu was never device-linked"));
  auto other = file_of({sass("90")});
  other.defined_registrations = file.undefined_registrations;
  EXPECT_TRUE(coverage::audit({file, other}, request({"9.0"})).findings.empty());
  for (const auto* unit : {"b", "c", "d"}) {
    file.undefined_registrations.push_back(std::string("__cudaRegisterLinkedBinary_0_4_") + unit +
                                           "_cu_k");
  }
  EXPECT_THAT(report::message_of(audit_one(file, request({"9.0"})).findings.at(0)),
              HasSubstr("of a.cu, b.cu, c.cu and 1 more was"));
}

TEST(Audit, WhatNoAuditedFileDefinesIsAFinding) {
  auto lacks = loaded_file("k.cubin", {sass("90")});
  lacks.images[0].undefined = {"_Z1ff"};
  const auto result = audit_one(lacks, request({"9.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "unknown");
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("uses f(float), which no file"));
  EXPECT_THAT(report::fix_of(result.findings[0]),
              HasSubstr("link it with the code that defines f(float)"));
  auto defines = loaded_file("f.cubin", {sass("90", {})});
  defines.images[0].defined = {"_Z1ff"};
  EXPECT_TRUE(coverage::audit({lacks, defines}, request({"9.0"})).findings.empty());
}

TEST(Audit, KernelsThatOnlyReportInEveryBodyAreNoted) {
  const auto notes_of = [](const File& file) {
    std::vector<std::string> codes;
    for (const auto& note : audit_one(file, request({"9.0"})).notes) codes.push_back(note.code);
    return codes;
  };
  const auto prints = kernel("k", Body::print);
  const auto traps = kernel("k", Body::print_trap);
  EXPECT_EQ(notes_of(file_of({sass("80", {prints}), sass("90", {traps})})),
            std::vector<std::string>{"only-reports"});
  EXPECT_TRUE(notes_of(file_of({sass("80"), sass("90", {traps})})).empty());
  EXPECT_EQ(
      report::message_of(
          audit_one(file_of({sass("90", {prints, kernel("b", Body::trap)})}), request({"9.0"}))
              .notes.at(0)),
      "b and 1 more only print, assert or trap in all of their code; if they should work, look at "
      "their `#if __CUDA_ARCH__` guards");
}

TEST(Audit, KernelsThatDoNoWorkInAnyBodyAreNoted) {
  const auto note_on = [](const std::vector<File>& files) {
    std::string notes;
    for (const auto& note : coverage::audit(files, request({"9.0"})).notes) {
      if (note.code == "does-no-work") notes += report::message_of(note);
    }
    return notes;
  };
  const auto idle =
      file_of({sass("80", {kernel("k", Body::inert)}), sass("90", {kernel("k", Body::empty)})});
  const std::string advice = "; if it should work, look at its `#if __CUDA_ARCH__` guards";
  const std::string many = "; if they should work, look at their `#if __CUDA_ARCH__` guards";
  EXPECT_EQ(note_on({idle}), "k does no work in all of its code" + advice);
  EXPECT_EQ(note_on({file_of({sass("80"), sass("90", {kernel("k", Body::empty)})})}), "")
      << "that is a finding";
  EXPECT_EQ(note_on({file_of({sass("90")})}), "");
  auto works = file_of({sass("90a")});
  works.path = "libworks.so";
  EXPECT_EQ(note_on({idle, works}),
            "k does no work in all of its code, but it works in libworks.so" + advice);
  EXPECT_EQ(note_on({file_of({sass("90", {kernel("a", Body::empty), kernel("b", Body::empty),
                                          kernel("c", Body::empty), kernel("d", Body::empty)})})}),
            "a, b, c and 1 more do no work in all of their code" + many);
  EXPECT_EQ(note_on({file_of({sass("90", {kernel("_ZN3cub11EmptyKernelIvEEvv", Body::empty),
                                          kernel("_ZN6thrust6kernelEv", Body::empty),
                                          kernel("warmUp", Body::inert)})})}),
            "")
      << "empty by design";
}

TEST(Audit, VariablesWithoutCodeForAPromisedGpuAreNoted) {
  const auto notes_on = [](std::vector<Image> images, bool variables) {
    auto file = file_of({sass("80"), sass("90")});
    images[0].variables = variables;
    add_module(file, std::move(images)).unit = "table.cu";
    std::string notes;
    for (const auto& note : audit_one(file, request({"8.0", "8.6", "9.0"})).notes) {
      notes += note.code + ": " + report::message_of(note);
    }
    return notes;
  };
  EXPECT_EQ(notes_on({sass("90", {})}, true),
            "unserved-variables: 1 of its 2 modules hold variables alone, and no code for 8.0, 8.6 "
            "(table.cu): host code that uses them fails there");
  EXPECT_EQ(notes_on({sass("90", {})}, false), "") << "a unit without device code";
  EXPECT_EQ(notes_on({sass("90", {}), sass("80", {})}, true), "");
  EXPECT_EQ(notes_on({sass("90", {}), ptx("80", "8.4", {})}, true), "");
  auto unread = ptx("90", "8.4", {});
  unread.unread = true;
  EXPECT_THAT(notes_on({sass("90", {}), unread}, true), HasSubstr("no code for 8.0, 8.6"));
}

TEST(Audit, KernelsThatAreIgnoredAreNotNotedForOnlyReporting) {
  const auto note_with = [](const std::vector<coverage::Ignore>& ignores) {
    auto wanted = request({"8.0", "9.0"});
    wanted.ignores = ignores;
    const auto notes =
        audit_one(file_of({sass("80", {kernel("_Z4dumpv", Body::print), kernel("b", Body::trap)}),
                           sass("90", {kernel("_Z4dumpv", Body::print), kernel("b", Body::trap)})}),
                  wanted)
            .notes;
    return notes.empty() ? std::string() : report::message_of(notes.at(0));
  };
  EXPECT_THAT(note_with({}), HasSubstr("dump and 1 more only print, assert or trap in "));
  EXPECT_THAT(note_with({{"ignore[0]", "dump*", {}, "meant"}}),
              ::testing::StartsWith("b only prints, asserts or traps in "));
  EXPECT_THAT(note_with({{"ignore[0]", "dump*", {device("9.0")}, "meant"}}),
              HasSubstr("dump and 1 more"))
      << "8.0 is left";
  EXPECT_THAT(note_with({{"ignore[0]", "dump*", {device("9.0")}, "meant"},
                         {"ignore[1]", "dump*", {device("8.0")}, "meant"}}),
              ::testing::StartsWith("b only prints"));
  EXPECT_EQ(note_with({{"ignore[0]", "*", {}, "meant"}}), "");
  const auto unpromised =
      audit_one(file_of({sass("90", {kernel("b", Body::trap)})}), request({})).notes;
  EXPECT_TRUE(std::any_of(unpromised.begin(), unpromised.end(),
                          [](const auto& note) { return note.code == "only-reports"; }));
}

TEST(Audit, WhatCannotBeReadIsAnErrorAndNeverAPass) {
  auto file = file_of({unreadable(sass("90"))});
  const auto result = audit_one(file, request({"9.0"}));
  EXPECT_THAT(result.errors.at(0), HasSubstr("libx.so: sass image 90 of module 0: the zstd frame"));
  EXPECT_EQ(result.findings.at(0).code, "unknown");
}

TEST(Toolkit, ThatNoCodeWasMadeWithIsSaid) {
  auto file = file_of({sass("80"), sass("90")});
  file.images[0].toolkit = "13.0";
  file.images[1].toolkit = "12.4";
  const auto says = [&](const char* toolkit) {
    auto wanted = request({"8.0"});
    wanted.toolkit = coverage::parse_version(toolkit);
    const auto notes = audit_one(file, wanted).notes;
    return std::any_of(notes.begin(), notes.end(), [](const auto& note) {
      return note.code == "other-toolkit" &&
             report::message_of(note) ==
                 "judged for CUDA 13.5, but none of its code was made with that: it "
                 "was made with 12.4, 13.0";
    });
  };
  EXPECT_TRUE(says("13.5"));
  EXPECT_FALSE(says("13.0"));
  EXPECT_FALSE(says("12.4"));
}

TEST(Notes, TellWhatAnAuditCannotSee) {
  auto file = file_of({sass("80")});
  EXPECT_TRUE(audit_one(file, request({"8.0"})).notes.empty());
  file.loaders = {"nvrtcCompileProgram"};
  file.images[0].debug = true;
  const auto result = audit_one(file, request({"8.0"}));
  ASSERT_EQ(result.notes.size(), 2U);
  EXPECT_EQ(result.notes[0].code, "loads-at-run-time");
  EXPECT_THAT(report::message_of(result.notes[0]), HasSubstr("nvrtcCompileProgram"));
  EXPECT_EQ(result.notes[1].code, "debug-code");
  EXPECT_TRUE(result.findings.empty());
}

TEST(Notes, NameAPackageWhoseKernelsAreNeededAndNotAudited) {
  const auto notes_of = [](const std::vector<std::string>& needed, const std::string& beside,
                           const coverage::Request& wanted) {
    auto extension = file_of({sass("80")});
    extension.path = "x.whl!x/_C.so";
    extension.needed = needed;
    auto other = extension;
    other.path = beside;
    std::vector<std::string> found;
    for (const auto& note : coverage::audit({extension, other}, wanted).notes) {
      if (note.code == "needs-other-package") found.push_back(report::message_of(note));
    }
    return found;
  };
  coverage::Request open;
  open.accept_without_promise = coverage::default_verdicts();
  const auto told = ElementsAre(
      "torch's own kernels are not judged; for its newest release: archgrid audit pypi:torch");
  EXPECT_THAT(notes_of({"libc.so.6", "libc10_cuda.so", "libtorch_cuda.so"}, "x.whl!b.so", open),
              told)
      << "once for all files and libraries";
  EXPECT_THAT(notes_of({"torch_cuda.dll"}, "x.whl!b.so", open), told);
  EXPECT_THAT(notes_of({"libtorch_cuda.so"}, "torch.whl!torch/lib/libtorch_cuda.so", open),
              IsEmpty())
      << "torch itself, or an audit of both";
  EXPECT_THAT(notes_of({"libtorch.so", "libcublas.so.12", "libmytorch_cuda.so"}, "b.so", open),
              IsEmpty());
  EXPECT_THAT(notes_of({"libtorch_cuda.so"}, "b.so", request({"8.0"})), IsEmpty())
      << "a promise is about what its author builds";
}

TEST(Notes, RepeatTheGpusAndTheDriverOfTheQuestion) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("8.0"), device("12.0")};
  wanted.driver = coverage::parse_driver("580");
  auto extension = file_of({sass("80")});
  extension.needed = {"libtorch_cuda.so"};
  std::string note;
  for (const auto& each : coverage::audit({extension}, wanted).notes) {
    if (each.code == "needs-other-package") note = report::message_of(each);
  }
  EXPECT_THAT(note, testing::EndsWith(": archgrid audit pypi:torch --gpu 8.0,12.0 --driver 580"));
}

TEST(Notes, NameTheVersionOfAPackageThatMetadataPin) {
  const auto note_with = [](const std::string& requirement) {
    coverage::Request wanted;
    wanted.accept_without_promise = coverage::default_verdicts();
    coverage::add_claim("x.whl!x-1.dist-info/METADATA",
                        "Name: x\nRequires-Dist: numpy==1.0\nRequires-Dist: " + requirement +
                            "\n\nRequires-Dist: torch==9.9\n",
                        wanted.claims);
    auto extension = file_of({sass("80")});
    extension.path = "x.whl!x/_C.so";
    extension.needed = {"libtorch_cuda.so"};
    for (const auto& note : coverage::audit({extension}, wanted).notes) {
      if (note.code == "needs-other-package") return report::message_of(note);
    }
    return std::string("no note");
  };
  const std::string note = "torch's own kernels are not judged: archgrid audit pypi:torch==";
  for (const char* pinned :
       {"torch==2.3.0", "torch (==2.3.0)", "Torch[opt] >=2, ==2.3.0 ; x > '3'"}) {
    EXPECT_EQ(note_with(pinned), note + "2.3.0") << pinned;
  }
  for (const char* open : {"torch>=2.3.0", "torch==2.3.*", "torch==2.3.0 ; extra == 'cuda'",
                           "torch==2.3.0\nRequires-Dist: torch==2.4.0", "torchaudio==2.3.0"}) {
    EXPECT_EQ(
        note_with(open),
        "torch's own kernels are not judged; for its newest release: archgrid audit pypi:torch")
        << open;
  }
}

TEST(Notes, TellObjectsOfHostLto) {
  File object;
  object.path = "a.o";
  object.host_lto = true;
  auto result = coverage::audit({file_of({sass("80")}), object}, request({"8.0"}));
  note_without_code({"a.o"}, result);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0].code, "host-lto");
  EXPECT_EQ(result.notes[0].path, "a.o");
  EXPECT_TRUE(result.findings.empty());
}

TEST(Notes, NameTheFilesThatLackDeviceCode) {
  const auto audited = [](std::vector<File> files) {
    auto result = coverage::audit(std::move(files), request({"8.0"}));
    coverage::note_without_code({"libx.so", "host.so", "liby.so"}, result);
    return result;
  };
  File host;
  host.path = "host.so";
  File member;
  member.path = "folder/host.so";
  const auto result = audited({file_of({sass("80")}), host, member});
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.notes.size(), 1U) << "whatever lies in a folder may be without";
  EXPECT_EQ(result.notes[0].code, "without-device-code");
  EXPECT_EQ(result.notes[0].path, "host.so");
  EXPECT_TRUE(audited({host}).notes.empty()) << "that is a finding";
  host.dangling = {0x40};
  EXPECT_TRUE(audited({file_of({sass("80")}), host}).notes.empty()) << "that is a finding too";
}

TEST(Notes, SayWhereAPatternTakesAPromiseAway) {
  const auto file = file_of({sass("80", {kernel("tile"), kernel("plain")}),
                             sass("90", {kernel("tile"), kernel("plain")})});
  auto wanted = request({"7.5", "8.0", "9.0"});
  wanted.promises.push_back(promise({"8.0"}));
  wanted.promises[1].kernels = "*tile*";
  wanted.promises[1].place = "promises[1]";
  wanted.devices = {device("8.0"), device("9.0")};
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0].code, "promised-on-fewer-devices");
  EXPECT_EQ(report::message_of(result.notes[0]),
            "1 of 2 kernels is promised by promises[1] (\"*tile*\") alone, and so not on 9.0");
  wanted.promises[1].devices.push_back(device("9.0"));
  EXPECT_TRUE(audit_one(file, wanted).notes.empty());
  wanted.promises.erase(wanted.promises.begin());
  wanted.promises[0].devices.pop_back();
  EXPECT_TRUE(audit_one(file, wanted).notes.empty()) << "nothing else was promised";
}

TEST(Notes, SayWhichRuleWasUsed) {
  auto file = file_of({sass("80")});
  file.modules[0].registered = false;
  const auto result = audit_one(file, request({"8.0"}));
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0].code, "picked-by-host");
  EXPECT_THAT(report::message_of(result.notes[0]), HasSubstr("1 of 1 kernels"));
  EXPECT_EQ(report::message_of(result.notes[0]).find("several"), std::string::npos);
  file.images[0].kernels[0].code_hash = 1;
  auto other = sass("80");
  other.kernels[0].code_hash = 2;
  add_module(file, {other}).registered = false;
  EXPECT_THAT(report::message_of(audit_one(file, request({"8.0"})).notes.at(0)),
              HasSubstr("; 1 of them are names of several programs"));
}

}  // namespace
}  // namespace archgrid::tests
