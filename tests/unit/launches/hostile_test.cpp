// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests host code that is damaged or malicious. Answers may be wrong, but have to come soon.
#include <gmock/gmock.h>

#include <archgrid/launches.hpp>
#include <random>

#include "shapes.hpp"

namespace archgrid::launches {
namespace {

using tests::kNew;
using tests::kOld;
const std::string kKernel = "_Zkerneli";

Launch launch_in(const std::string& bytes) {
  return HostCode(bytes).launch_of(kKernel, kOld);
}

std::string library(const std::string& name) {
  return tests::shape(tests::compilers().front(), name);
}

void read(const std::string& bytes) {
  HostCode code(bytes);
  code.launch_of(kKernel, kOld);
  code.is_guarded(kKernel, {kOld}, {kNew});
}

std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes.at(at) = value;
  return bytes;
}

TEST(Unreadable, NoElf) {
  EXPECT_EQ(launch_in(""), Launch::unknown);
  EXPECT_EQ(launch_in("\x7f"
                      "ELF"),
            Launch::unknown);
  EXPECT_EQ(launch_in(std::string(100000, 'x')), Launch::unknown);
  EXPECT_FALSE(HostCode("").is_guarded(kKernel, {kOld}, {kNew}));
}

TEST(Unreadable, OtherMachinesAndTypes) {
  const auto bytes = library("attribute");
  ASSERT_EQ(launch_in(bytes), Launch::never);
  EXPECT_EQ(launch_in(with_byte(bytes, 4, 1)), Launch::unknown);        // 32 bits
  EXPECT_EQ(launch_in(with_byte(bytes, 5, 2)), Launch::unknown);        // big endian
  EXPECT_EQ(launch_in(with_byte(bytes, 16, 2)), Launch::unknown);       // fixed addresses
  EXPECT_EQ(launch_in(with_byte(bytes, 18, '\xb7')), Launch::unknown);  // AArch64
}

TEST(Unreadable, NoTableOfFunctions) {
  auto bytes = library("attribute");
  const auto name = bytes.find(".eh_frame_hdr");
  ASSERT_NE(name, std::string::npos);
  bytes[name] = 'x';
  EXPECT_EQ(launch_in(bytes), Launch::unknown);
}

TEST(Unreadable, NoRegistration) {
  auto bytes = library("attribute");
  for (auto at = bytes.find(kKernel); at != std::string::npos; at = bytes.find(kKernel)) {
    bytes[at] = '\0';
  }
  EXPECT_EQ(launch_in(bytes), Launch::unknown);
}

class Damaged : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Shapes, Damaged,
                         testing::Values("attribute", "virtual", "chosen", "member", "above"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Damaged, CutAtEach64thByte) {
  const auto bytes = library(GetParam());
  for (std::size_t size = 0; size < bytes.size(); size += 64) read(bytes.substr(0, size));
}

TEST_P(Damaged, OneByteFlipped) {
  const auto bytes = library(GetParam());
  std::mt19937 random(7);
  for (int count = 0; count < 1000; ++count) {
    auto damaged = bytes;
    damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    read(damaged);
  }
}

TEST_P(Damaged, SeveralBytesReplaced) {
  const auto bytes = library(GetParam());
  std::mt19937 random(11);
  for (int count = 0; count < 500; ++count) {
    auto damaged = bytes;
    for (int change = 0; change < 20; ++change) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    read(damaged);
  }
}

TEST_P(Damaged, EveryByteOfTheHeadersReplaced) {
  const auto bytes = library(GetParam());
  for (std::size_t at = 0; at < 64; ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\x80', '\xff'}) {
      read(with_byte(bytes, at, value));
      read(with_byte(bytes, bytes.size() - 1 - at, value));
    }
  }
}

}  // namespace
}  // namespace archgrid::launches
