// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <unistd.h>

#include <archgrid/device.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace archgrid::device {
namespace {

TEST(Capability, IsWrittenAsPromisesWriteIt) {
  EXPECT_EQ(text_of(Capability{9, 0}), "9.0");
  EXPECT_EQ(text_of(Capability{12, 1}), "12.1");
}

TEST(Version, IsWrittenAsPeopleSayIt) {
  EXPECT_EQ(text_of_version(12040), "12.4");
  EXPECT_EQ(text_of_version(13000), "13.0");
  EXPECT_EQ(text_of_version(11080), "11.8");
}

TEST(Diagnose, TellsTheReasonsApart) {
  EXPECT_EQ(diagnose({0, "", "", 13000, 13000}).problem, Problem::none);
  EXPECT_EQ(diagnose({35, "", "", 0, 13000}).problem, Problem::no_driver);
  EXPECT_EQ(diagnose({35, "", "", 12020, 13000}).problem, Problem::driver_too_old);
  EXPECT_EQ(diagnose({100, "", "", 13000, 13000}).problem, Problem::no_device);
  EXPECT_EQ(diagnose({999, "cudaErrorUnknown", "unknown error", 13000, 13000}).problem,
            Problem::other);
}

TEST(Diagnose, SaysWhatIsWrong) {
  EXPECT_EQ(diagnose({0, "", "", 13000, 13000}).message, "");
  EXPECT_NE(diagnose({35, "", "", 12020, 13000}).message.find("CUDA 12.2"), std::string::npos);
  const std::string other = diagnose({999, "cudaErrorUnknown", "unknown error", 1, 1}).message;
  EXPECT_NE(other.find("cudaErrorUnknown (999), unknown error"), std::string::npos) << other;
}

class DriverRelease : public ::testing::Test {
 protected:
  ~DriverRelease() override { std::filesystem::remove(file_); }

  std::string read(const std::string& content) {
    std::ofstream(file_) << content;
    return driver_release(file_);
  }

  // The name contains the process ID because ctest runs tests of this program in parallel.
  std::filesystem::path file_ = std::filesystem::temp_directory_path() /
                                ("archgrid_driver_release_" + std::to_string(getpid()));
};

TEST_F(DriverRelease, IsReadFromEachKindOfModule) {
  EXPECT_EQ(read("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 2024\n"
                 "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
            "535.183.01");
  EXPECT_EQ(read("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release\n"),
            "580.65.06");
}

TEST_F(DriverRelease, IsEmptyWhereNothingSaysIt) {
  EXPECT_EQ(read("something else 1.2.3\n"), "");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(driver_release("/does/not/exist"), "");
}

}  // namespace
}  // namespace archgrid::device
