// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

using Paths = std::vector<std::string>;

/// Packs `files` of the folder `from` into `archive`.
void pack(const fs::path& from, const std::string& files, const fs::path& archive) {
  fs::create_directories(archive.parent_path());
  const auto command =
      "cd '" + from.string() + "' && tar --sort=name -cf '" + archive.string() + "' " + files;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

const cell::OtherNames kNames{R"(^lib(cublas|cudart)(-[0-9a-f]+)?\.so[.0-9]*$)", "nvidia_.+|torch",
                              "mine"};

/// Returns the result of survey_packages() as "dist.whl | nvidia:dist.whl!p/libcublas.so".
std::string survey(const fs::path& build, const Paths& packages,
                   const cell::OtherNames& names = kNames, const Paths& artifacts = {},
                   const Paths& installed = {}) {
  if (!fs::exists(build / "build.ninja")) write(build / "build.ninja", "");
  const auto found = cell::survey_packages(build, {packages, installed, artifacts}, names);
  std::string text;
  for (const auto& package : found.audited) text += package + " ";
  text += "|";
  for (const auto& file : found.unaudited) text += " " + file.why + ":" + file.path;
  return text;
}

TEST(Packages, LibrariesOfNvidiaInsideAreLeftOut) {
  const auto build = folder();
  place(build / "in/p/lib.so", "libsample.so");
  place(build / "in/p.libs/libcublas-0ab1.so.12", "linked");
  place(build / "in/p.libs/libcublas_kernels.so", "plain.o");
  write(build / "in/p/__init__.py", "");
  pack(build / "in", "p p.libs", build / "x.whl");
  EXPECT_EQ(survey(build, {"x.whl"}), "x.whl | nvidia:x.whl!p.libs/libcublas-0ab1.so.12");
  EXPECT_EQ(survey(build, {"x.whl"}, {}), "x.whl |");
  pack(build / "in", "p.libs/libcublas-0ab1.so.12", build / "alone.whl");
  EXPECT_EQ(survey(build, {"alone.whl"}), "| nvidia:alone.whl!p.libs/libcublas-0ab1.so.12");
  pack(build / "in", "p/__init__.py", build / "texts.whl");
  EXPECT_EQ(survey(build, {"texts.whl"}), "|");
}

TEST(Packages, CopiesOfAuditedFilesAreLeftOut) {
  const auto build = folder();
  place(build / "lib.so", "libsample.so");
  place(build / "p/same.so", "libsample.so");
  place(build / "p/libcublas.so", "linked");
  place(build / "p/own.so", "linked");
  pack(build, "p", build / "a.whl");
  pack(build, "p/own.so", build / "b.whl");
  EXPECT_EQ(survey(build, {"a.whl"}, kNames, {"lib.so"}),
            "a.whl | nvidia:a.whl!p/libcublas.so copy:a.whl!p/same.so")
      << "own.so has only a copy that is left out";
  EXPECT_EQ(survey(build, {"a.whl"}), "a.whl | nvidia:a.whl!p/libcublas.so");
  EXPECT_EQ(survey(build, {"b.whl", "a.whl"}, {}, {"lib.so"}),
            "b.whl a.whl | copy:a.whl!p/libcublas.so copy:a.whl!p/own.so copy:a.whl!p/same.so");
  const auto archive = "cd '" + (build / "p").string() + "' && ar -rc ../lib.a own.so";
  ASSERT_EQ(std::system(archive.c_str()), 0);
  EXPECT_EQ(survey(build, {"b.whl"}, {}, {"lib.a"}), "b.whl | copy:b.whl!p/own.so");
}

TEST(Packages, AMemberOfTheNameOfItsCopyIsKept) {
  const auto build = folder();
  place(build / "p/own.so", "libsample.so");
  pack(build, "p/own.so", build / "x.tar");
  const auto append = "cd '" + build.string() + "' && tar rf x.tar p/own.so";
  ASSERT_EQ(std::system(append.c_str()), 0);
  EXPECT_EQ(survey(build, {"x.tar"}), "x.tar |");
  EXPECT_EQ(survey(build, {"x.tar"}, kNames, {"p/own.so"}), "x.tar | copy:x.tar!p/own.so")
      << "both are copies of an artifact";
}

TEST(Packages, OfAFolderOfDownloadsThoseFromTheBuildAreKept) {
  const auto build = folder();
  place(build / "in/lib.so", "libsample.so");
  pack(build / "in", "lib.so", build / "src/x.tar");
  write(build / "src/e-stamp/e-download", "");
  EXPECT_EQ(survey(build, {"src/x.tar"}), "|");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(build / "src/e-stamp/e-download", now - std::chrono::hours(1));
  EXPECT_EQ(survey(build, {"src/x.tar"}), "src/x.tar |") << "written after the download";
  pack(build / "in", "lib.so", build / "src/e/test/x.tar");
  EXPECT_EQ(survey(build, {"src/e/test/x.tar"}), "src/e/test/x.tar |");
  fs::last_write_time(build / "src/e-stamp/e-download", now + std::chrono::hours(1));
  EXPECT_EQ(survey(build, {"src/e/test/x.tar"}), "|") << "of the sources that were downloaded";
}

TEST(Packages, WheelsOfOtherProjectsAreLeftOut) {
  const auto build = folder();
  place(build / "in/lib.so", "libsample.so");
  const auto alone = [&](const std::string& name, const std::string& project = "mine") {
    pack(build / "in", "lib.so", build / name);
    auto names = kNames;
    names.project = project;
    return survey(build, {name}, names);
  };
  EXPECT_EQ(alone("torch-2.9.0-x.whl"), "| foreign:torch-2.9.0-x.whl");
  EXPECT_EQ(alone("Nvidia_cufft_cu12-1-x.whl"), "| foreign:Nvidia_cufft_cu12-1-x.whl");
  EXPECT_EQ(alone("torch-2.9.0-x.whl", "Torch"), "torch-2.9.0-x.whl |") << "the project's own";
  EXPECT_EQ(alone("torch_scatter-2.1-x.whl"), "torch_scatter-2.1-x.whl |");
  EXPECT_EQ(alone("torch-2.9.0.tar"), "torch-2.9.0.tar |");
  place(build / "in/own.so", "linked");
  fs::rename(build / "torch-2.9.0-x.whl", build / "in/torch-2.9.0-x.whl");
  pack(build / "in", "torch-2.9.0-x.whl own.so", build / "all.tar");
  EXPECT_EQ(survey(build, {"all.tar"}), "all.tar | foreign:all.tar!torch-2.9.0-x.whl");
}

/// Returns "dist.whl!lib.so (11)": units, and the number of images of each.
std::string packaged(const fs::path& build, const cell::Packed& packed = {}) {
  std::string text;
  for (const auto& unit : cell::packaged_units(build, {"x.whl"}, packed, {})) {
    text += unit.output + " (" + std::to_string(unit.code.size()) + ")\n";
  }
  return text;
}

TEST(Packages, DeviceCodeOfMembersIsProved) {
  const auto root = folder();
  const auto build = root / "build";
  write(build / "build.ninja", "");
  write(build / "archgrid.signature", "");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(build / "archgrid.signature", now - std::chrono::hours(1));
  place(root / "in/lib.so", "libsample.so");
  write(root / "in/readme", "no device code");
  pack(root / "in", "lib.so readme", build / "x.whl");
  const auto all = packaged(build);
  EXPECT_EQ(all.substr(0, 14), "x.whl!lib.so (") << all;
  EXPECT_EQ(packaged(build, {{"x.whl!lib.so"}, {}, {}}), "");
  EXPECT_EQ(packaged(build, {{"x.whl!lib"}, {}, {}}), all);
  EXPECT_EQ(packaged(build, {{"x.whl"}, {}, {}}), "") << "all of a package";

  place(build / "lib.so", "libsample.so");
  std::ofstream(build / "lib.so", std::ios::app) << "of other bytes";
  EXPECT_EQ(packaged(build, {{}, {"lib.so"}, {}}), "") << "an artifact has its code";
  EXPECT_EQ(packaged(build), all);

  place(root / "source/vendor/lib.so", "libsample.so");
  EXPECT_EQ(packaged(build, {{}, {}, root / "source"}), all) << "maybe written by the build";
  fs::last_write_time(root / "source/vendor/lib.so", now - std::chrono::hours(2));
  EXPECT_EQ(packaged(build, {{}, {}, root / "source"}), "");
  fs::rename(root / "source/vendor", root / "source/build");
  write(root / "source/build/CMakeCache.txt", "");
  EXPECT_EQ(packaged(build, {{}, {}, root / "source"}), all) << "another build made it";
  fs::last_write_time(build / "x.whl", now - std::chrono::hours(2));
  EXPECT_EQ(packaged(build), "") << "a download";
}

TEST(Packages, WhatCanBeReadOfADamagedPackageIsAudited) {
  const auto build = folder();
  place(build / "in/lib.so", "libsample.so");
  write(build / "in/bad.zip", std::string("PK\3\4", 4) + "nothing of a zip");
  pack(build / "in", "bad.zip lib.so", build / "x.tar");
  write(build / "build.ninja", "");
  const auto found = cell::survey_packages(build, {{"x.tar"}, {}, {}}, kNames);
  EXPECT_EQ(found.audited, Paths{"x.tar"});
  ASSERT_FALSE(found.unaudited.empty());
  EXPECT_EQ(found.unaudited[0].path, "x.tar!bad.zip");
  EXPECT_EQ(found.unaudited[0].why, "unreadable");
  EXPECT_NE(found.unaudited[0].reason.find("list of members"), std::string::npos)
      << found.unaudited[0].reason;
  fs::rename(build / "in/bad.zip", build / "bad.zip");
  EXPECT_EQ(survey(build, {"bad.zip"}), "| unreadable:bad.zip");
}

TEST(Packages, ThoseOfUnknownFormatsCannotBeRead) {
  const auto build = folder();
  write(build / "x.7z", "7z\xbc\xaf\x27\x1c and more");
  write(build / "x.sh", std::string("#!/bin/sh\nexit\n") + '\0' + "archive");
  write(build / "build.sh", "#!/bin/sh\nexit\n");
  write(build / "empty.tar", std::string(10240, '\0'));
  write(build / "e-prefix/src/e/test/x.7z", "7z\xbc\xaf\x27\x1c and more");
  write(build / "e-prefix/src/e-stamp/e-download", "");
  EXPECT_EQ(survey(build, {"x.7z", "x.sh", "build.sh", "empty.tar", "e-prefix/src/e/test/x.7z"}),
            "| unreadable:x.7z unreadable:x.sh");
}

TEST(Packages, NamesSayNothing) {
  const auto build = folder();
  place(build / "in/lib.so", "libsample.so");
  pack(build / "in", "lib.so", build / "ops");
  place(build / "k", "sample.cubin");
  write(build / "readme", "no device code");
  const auto compress = "cd '" + build.string() + "' && gzip k && mv k.gz k.bin && gzip readme";
  ASSERT_EQ(std::system(compress.c_str()), 0);
  EXPECT_EQ(survey(build, {"ops", "k.bin", "readme.gz", "in/lib.so"}), "ops k.bin |");
}

TEST(Packages, OfInstalledFilesThoseWithoutAKnownFormatAreOpaque) {
  const auto build = folder();
  place(build / "plugin.o", "plain.o");
  place(build / "k", "sample.cubin");
  const auto prepend = "cd '" + build.string() + "' && (printf PACK0001 && cat k) > ops.pack";
  ASSERT_EQ(std::system(prepend.c_str()), 0);
  EXPECT_EQ(survey(build, {}, kNames, {}, {"ops.pack", "plugin.o"}), "plugin.o | opaque:ops.pack");
  write(build / "archgrid.signature", "");
  EXPECT_EQ(survey(build, {}, kNames, {}, {"ops.pack", "plugin.o"}),
            "| opaque:ops.pack unmade:plugin.o")
      << "older than the build";
}

TEST(Packages, CodeThatProgramsLoadIsNoCopy) {
  const auto build = folder();
  place(build / "in/fast/sm90.cubin", "sample.cubin");
  place(build / "in/exact/sm90.cubin", "sample.cubin");
  pack(build / "in", "fast exact", build / "x.tar");
  EXPECT_EQ(survey(build, {"x.tar"}), "x.tar |");
}

}  // namespace
}  // namespace archgrid::tests
