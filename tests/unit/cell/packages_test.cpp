// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

using Paths = std::vector<std::string>;

/// Packs `files` of the folder `from` into `archive`.
void pack(const fs::path& from, const std::string& files, const fs::path& archive) {
  fs::create_directories(archive.parent_path());
  const auto command = "cd '" + from.string() + "' && tar -cf '" + archive.string() + "' " + files;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

const cell::OtherNames kNames{R"(^lib(cublas|cudart)(-[0-9a-f]+)?\.so[.0-9]*$)", "nvidia_.+|torch",
                              "mine"};

/// "dist.whl | nvidia:dist.whl!p/libcublas.so"
std::string survey(const fs::path& build, const Paths& packages,
                   const cell::OtherNames& names = kNames) {
  const auto found = cell::survey_packages(build, packages, names);
  std::string text;
  for (const auto& package : found.audited) text += package + " ";
  text += "|";
  for (const auto& file : found.unaudited) text += " " + file.why + ":" + file.path;
  return text;
}

TEST(Packages, LibrariesOfNvidiaInsideAreLeftOut) {
  const auto build = folder();
  place(build / "in/p/lib.so", "libsample.so");
  place(build / "in/p.libs/libcublas-0ab1.so.12", "libsample.so");
  place(build / "in/p.libs/libcublas_kernels.so", "libsample.so");
  write(build / "in/p/__init__.py", "");
  pack(build / "in", "p p.libs", build / "x.whl");
  EXPECT_EQ(survey(build, {"x.whl"}), "x.whl | nvidia:x.whl!p.libs/libcublas-0ab1.so.12");
  EXPECT_EQ(survey(build, {"x.whl"}, {}), "x.whl |");
  pack(build / "in", "p.libs/libcublas-0ab1.so.12", build / "alone.whl");
  EXPECT_EQ(survey(build, {"alone.whl"}), "| nvidia:alone.whl!p.libs/libcublas-0ab1.so.12");
  pack(build / "in", "p/__init__.py", build / "texts.whl");
  EXPECT_EQ(survey(build, {"texts.whl"}), "|");
}

TEST(Packages, WheelsOfOtherProjectsAreLeftOut) {
  const auto build = folder();
  place(build / "in/lib.so", "libsample.so");
  place(build / "in/lib2.so", "libsample.so");
  for (const auto* name : {"torch-2.9.0-cp311-cp311-linux_x86_64.whl", "Nvidia_cufft_cu12-1-x.whl",
                           "torch_scatter-2.1-x.whl", "torch-2.9.0.tar"}) {
    pack(build / "in", "lib.so lib2.so", build / name);
  }
  EXPECT_EQ(survey(build, {"torch-2.9.0-cp311-cp311-linux_x86_64.whl", "Nvidia_cufft_cu12-1-x.whl",
                           "torch_scatter-2.1-x.whl", "torch-2.9.0.tar"}),
            "torch_scatter-2.1-x.whl torch-2.9.0.tar | "
            "foreign:torch-2.9.0-cp311-cp311-linux_x86_64.whl "
            "foreign:Nvidia_cufft_cu12-1-x.whl");
  auto names = kNames;
  names.project = "Torch";
  EXPECT_EQ(survey(build, {"torch-2.9.0-cp311-cp311-linux_x86_64.whl"}, names),
            "torch-2.9.0-cp311-cp311-linux_x86_64.whl |")
      << "the project's own";
  pack(build, "torch-2.9.0-cp311-cp311-linux_x86_64.whl in/lib.so", build / "all.tar");
  EXPECT_EQ(survey(build, {"all.tar"}),
            "all.tar | foreign:all.tar!torch-2.9.0-cp311-cp311-linux_x86_64.whl");
}

TEST(Packages, ThoseThatCannotBeReadAreLeftOut) {
  const auto build = folder();
  write(build / "x.zip", std::string("PK\3\4", 4) + "nothing of a zip");
  EXPECT_EQ(survey(build, {"x.zip"}), "| unreadable:x.zip");
}

}  // namespace
}  // namespace archgrid::tests
