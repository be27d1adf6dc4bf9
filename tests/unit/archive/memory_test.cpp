// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the command's memory for members that are larger than its limit.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "packed.hpp"
#include "paths.hpp"

namespace archgrid::archive {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t kPart = std::size_t{1} << 20;
constexpr std::size_t kParts = 700;
constexpr long kMaxMemory = 200 * 1024;  // KiB

/// Returns the head of an object with one section of data: 700 MB of zeros, and a container at its
/// end.
std::string head_of_object(std::size_t size) {
  std::string text(64, '\0');
  const auto put = [&](std::size_t at, auto number) {
    std::memcpy(text.data() + at, &number, sizeof(number));
  };
  std::memcpy(text.data(),
              "\x7f"
              "ELF\x02\x01\x01",
              7);
  put(16, std::uint16_t{1});
  put(18, std::uint16_t{62});
  put(40, std::uint64_t{64});
  put(52, std::uint16_t{64});
  put(58, std::uint16_t{64});
  put(60, std::uint16_t{3});
  put(62, std::uint16_t{2});
  text.resize(64 + 3 * 64 + 64, '\0');
  const auto section = [&](std::size_t index, std::uint32_t name, std::uint32_t type,
                           std::uint64_t offset, std::uint64_t bytes) {
    const auto base = 64 + index * 64;
    put(base, name);
    put(base + 4, type);
    put(base + 8, std::uint64_t{2});
    put(base + 24, offset);
    put(base + 32, bytes);
  };
  section(1, 1, 1, 320, size - 320);
  section(2, 7, 3, 256, 20);
  std::memcpy(text.data() + 256, "\0.data\0.shstrtab\0", 17);
  return text;
}

/// Writes an archive with one member of 700 MB that ends with `tail`.
std::filesystem::path packed_object(const tests::Packing& packing, const std::string& tail) {
  const auto path = tests::folder() / packing.name;
  const auto size = kParts * kPart + tail.size();
  auto* const handle = archive_write_new();
  tests::check(packing.format == ARCHIVE_FORMAT_AR_BSD
                   ? archive_write_set_format_ar_bsd(handle)
                   : archive_write_set_format(handle, packing.format),
               handle);
  archive_write_add_filter(handle, packing.filter);
  tests::check(archive_write_set_options(handle, packing.options.c_str()), handle);
  tests::check(archive_write_open_filename(handle, path.c_str()), handle);
  auto* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, "large.o");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, static_cast<la_int64_t>(size));
  tests::check(archive_write_header(handle, entry), handle);
  auto part = head_of_object(size);
  part.resize(kPart, '\0');
  for (std::size_t index = 0; index < kParts; ++index) {
    archive_write_data(handle, part.data(), part.size());
    if (index == 0) part.assign(kPart, '\0');
  }
  archive_write_data(handle, tail.data(), tail.size());
  archive_entry_free(entry);
  tests::check(archive_write_close(handle), handle);
  archive_write_free(handle);
  return path;
}

/// Returns this process's peak memory, in KiB.
long own_memory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

struct Run {
  int code = -1;
  long memory = 0;  ///< KiB
  std::string out;
};

Run list(const std::filesystem::path& path) {
  const auto out = tests::folder() / "out";
  const auto child = ::fork();
  if (child == 0) {
    const int descriptor = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(descriptor, STDOUT_FILENO);
    ::execl(tests::kCommand, "archgrid", "list", path.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage usage = {};
  ::wait4(child, &status, 0, &usage);  // usage includes this process's memory at the fork
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, usage.ru_maxrss, tests::contents_of(out)};
}

class Memory : public ::testing::TestWithParam<tests::Packing> {};

TEST_P(Memory, IsNotThatOfTheLargestMember) {
  const auto path = packed_object(GetParam(), tests::sample("sample.fatbin"));
  ASSERT_LT(own_memory(), kMaxMemory) << "the command's cannot be told from it";
  const auto run = list(path);
  std::filesystem::remove(path);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("large.o: object, "), HasSubstr(", 1 module, 3 images")));
  EXPECT_GT(run.memory, 0);
  EXPECT_LT(run.memory, kMaxMemory);
}

INSTANTIATE_TEST_SUITE_P(
    Archive, Memory,
    ::testing::Values(tests::Packing{"stored.zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE,
                                     "zip:compression=store"},
                      tests::Packing{"deflated.zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE,
                                     "zip:compression-level=1"},
                      tests::Packing{"packed.tar.zst", ARCHIVE_FORMAT_TAR_USTAR,
                                     ARCHIVE_FILTER_ZSTD, ""},
                      tests::Packing{"lib.a", ARCHIVE_FORMAT_AR_BSD, ARCHIVE_FILTER_NONE, ""}),
    [](const auto& parameter) {
      auto name = parameter.param.name;
      for (auto& c : name) c = std::isalnum(c) != 0 ? c : '_';
      return name;
    });

}  // namespace
}  // namespace archgrid::archive
