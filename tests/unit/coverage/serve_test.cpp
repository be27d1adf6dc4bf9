// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Verdict;
using ::testing::HasSubstr;

TEST(Serve, JudgesEveryKernelForOneDevice) {
  std::vector<File> files;
  files.push_back(file_of({sass("90")}));
  files.push_back(file_of({sass("80")}));
  const auto served = coverage::serve(files, device("9.0"), request({"9.0"}));
  ASSERT_EQ(served.size(), 2U);
  EXPECT_TRUE(served[0].accepted);
  EXPECT_FALSE(served[1].accepted);
  EXPECT_THAT(report::fix_of(served[1]), HasSubstr("add 90"));
}

TEST(Serve, UsesIgnoresAndDefaults) {
  std::vector<File> files;
  files.push_back(file_of({ptx("80")}));
  auto wanted = request({"9.0"});
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).accepted);
  EXPECT_FALSE(coverage::serve(files, device("8.0"), wanted).at(0).accepted) << "not promised";
  wanted.unpromised.insert(Verdict::jit);
  EXPECT_TRUE(coverage::serve(files, device("8.0"), wanted).at(0).accepted);
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).accepted) << "promised";
  EXPECT_FALSE(coverage::serve(files, device("9.0"), wanted).at(0).ignored);
  wanted.ignores = {{"ignore[0]", "k", {}, "reason"}};
  const auto ignored = coverage::serve(files, device("9.0"), wanted).at(0);
  EXPECT_FALSE(ignored.accepted);
  EXPECT_TRUE(ignored.ignored);
  EXPECT_EQ(report::fix_of(ignored), "");
  wanted.promises[0].accept = {Verdict::jit};
  const auto kept = coverage::serve(files, device("9.0"), wanted).at(0);
  EXPECT_TRUE(kept.accepted);
  EXPECT_FALSE(kept.ignored) << "there is nothing to ignore";
}

TEST(Serve, WantsWhatEveryPromiseForTheDeviceAccepts) {
  auto image = sass("90");
  image.toolkit = "12.4";
  const std::vector<File> files{file_of({image, sass("80")})};
  auto wanted = request({"8.8"});
  EXPECT_TRUE(coverage::serve(files, device("8.8"), wanted).at(0).accepted);
  wanted.promises.push_back(promise({"8.8"}, {Verdict::native, Verdict::jit}));
  const auto served = coverage::serve(files, device("8.8"), wanted).at(0);
  EXPECT_FALSE(served.accepted);
  EXPECT_THAT(report::fix_of(served), HasSubstr("which cannot compile for 88"))
      << "80 is compatible, which the second does not accept, and PTX is nothing for the first";
}

TEST(Serve, KernelsPromisedForOtherDevicesOnlyAreAccepted) {
  std::vector<File> files;
  files.push_back(file_of({sass("90", {kernel("wgmma")}), sass("80")}));
  auto wanted = request({"8.0", "9.0"});
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises.back().kernels = "wgmma";
  for (const auto& served : coverage::serve(files, device("8.0"), wanted)) {
    EXPECT_TRUE(served.accepted) << served.kernel;
  }
}

}  // namespace
}  // namespace archgrid::tests
