// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "file_reader.hpp"

namespace archgrid::fatbin {
namespace {

namespace fs = std::filesystem;
using system::MappedFile;
using system::release;
using ::testing::HasSubstr;

constexpr std::size_t kFileSize = 64 * 4096;

fs::path file_of(const std::string& bytes, const std::string& name = "") {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = fs::path(::testing::TempDir()) / ("mapped-" + name + test->name());
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

using Handler = void (*)(int, siginfo_t*, void*);

Handler current_handler() {
  struct sigaction action = {};
  ::sigaction(SIGBUS, nullptr, &action);
  return action.sa_sigaction;
}

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const MappedFile file(file_of("some bytes"));
  EXPECT_EQ(file.bytes(), "some bytes");
  EXPECT_EQ(file.change(), "");
  release(file.bytes());
  EXPECT_EQ(file.bytes(), "some bytes");
  EXPECT_EQ(MappedFile(file_of("")).bytes(), "");
}

TEST(MappedFile, BytesThatWereTakenBackAreReadAgain) {
  const MappedFile file(file_of(std::string(kFileSize, 'x')));
  release(file.bytes());
  EXPECT_EQ(file.bytes(), std::string(kFileSize, 'x'));
  const std::string elsewhere(kFileSize, 'y');
  release(elsewhere);
  EXPECT_EQ(elsewhere, std::string(kFileSize, 'y'));
}

TEST(FileReader, ReadsTheSameBytes) {
  std::string bytes(kFileSize, '\0');
  for (std::size_t at = 0; at < kFileSize; ++at) bytes[at] = static_cast<char>(at * 31 >> 3);
  const MappedFile file(file_of(bytes));
  FileReader reader;
  for (const std::size_t at : {0, 1, 4095, 4096, 100000}) {
    for (const std::size_t size : {0, 1, 300, 4096, 70000}) {
      const auto part = file.bytes().substr(at, size);
      const auto read = reader.read(part);
      EXPECT_EQ(read, part);
      EXPECT_TRUE(size == 0 || read.data() != part.data()) << "it was not copied";
    }
  }
  EXPECT_EQ(file.change(), "");
}

TEST(FileReader, LeavesAloneWhatItNeedNotCopy) {
  FileReader reader;
  const std::string elsewhere(kFileSize, 'y');
  EXPECT_EQ(reader.read(elsewhere).data(), elsewhere.data());
  const MappedFile large(file_of(std::string((4 << 20) + 1, 'x')));
  EXPECT_EQ(reader.read(large.bytes()).data(), large.bytes().data());
  EXPECT_EQ(reader.read(large.bytes().substr(1)), std::string(4 << 20, 'x'));
}

TEST(FileReader, WhatIsCutOffIsZerosAndTheFileSaysSo) {
  const auto path = file_of(std::string(kFileSize, 'x'));
  const MappedFile file(path);
  const auto modified = fs::last_write_time(path);
  const auto restore = [&] {
    fs::resize_file(path, kFileSize);
    fs::last_write_time(path, modified);
  };
  FileReader reader;
  fs::resize_file(path, 5000);
  restore();
  EXPECT_EQ(file.change(), "");  // nothing has read it meanwhile
  fs::resize_file(path, 5000);
  EXPECT_EQ(reader.read(file.bytes().substr(0, 8000)),
            std::string(5000, 'x') + std::string(3000, '\0'));
  EXPECT_EQ(reader.read(file.bytes().substr(9000, 10)), std::string(10, '\0'));
  restore();
  EXPECT_THAT(file.change(), HasSubstr("a part of it cannot be read"));
}

// Mappings of other files come and go meanwhile, and reuse the guards of earlier ones.
TEST(FileReader, ReadsItsFileWhileOthersComeAndGo) {
  const MappedFile file(file_of(std::string(kFileSize, 'x')));
  const auto other = file_of(std::string(kFileSize, 'o'), "other-");
  const auto larger = file_of(std::string(4 * kFileSize, 'l'), "larger-");
  std::atomic<bool> done = false;
  std::vector<std::thread> mappers;
  for (int thread = 0; thread < 3; ++thread) {
    mappers.emplace_back([&] {
      while (!done) {
        const MappedFile first(larger);
        const MappedFile second(other);
      }
    });
  }
  FileReader reader;
  std::size_t wrong = 0;
  for (int round = 0; round < 20000; ++round) {
    if (reader.read(file.bytes().substr(4096, 16)) != std::string(16, 'x')) ++wrong;
  }
  done = true;
  for (auto& mapper : mappers) mapper.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(file.change(), "");
}

TEST(MappedFile, OneThatIsCutTurnsToZerosAndSaysSo) {
  const auto path = file_of(std::string(kFileSize, 'x'));
  const MappedFile file(path);
  const MappedFile other(file_of(std::string(kFileSize, 'z'), "other-"));
  fs::resize_file(path, 4096 + 1);
  EXPECT_EQ(file.bytes()[4096], 'x');
  EXPECT_EQ(std::count(file.bytes().begin(), file.bytes().end(), 'x'), 4097);
  EXPECT_EQ(file.bytes()[kFileSize - 1], '\0');
  EXPECT_THAT(file.change(), HasSubstr("changed while it was read"));
  EXPECT_EQ(other.bytes()[kFileSize - 1], 'z');
  EXPECT_EQ(other.change(), "");
}

TEST(MappedFile, SeveralThreadsMayMeetTheCut) {
  const auto path = file_of(std::string(kFileSize, 'x'));
  const MappedFile file(path);
  fs::resize_file(path, 0);
  std::vector<std::thread> threads;
  for (int index = 0; index < 8; ++index) {
    threads.emplace_back(
        [&] { EXPECT_EQ(std::count(file.bytes().begin(), file.bytes().end(), 'x'), 0); });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(file.change(), HasSubstr("changed"));
}

TEST(MappedFile, SaysThatItWasWrittenTo) {
  const auto path = file_of("some bytes");
  const MappedFile file(path);
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  EXPECT_THAT(file.change(), HasSubstr("changed"));
  const MappedFile longer(path);
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_THAT(longer.change(), HasSubstr("changed"));
}

TEST(MappedFile, LeavesTheSignalAsItWas) {
  const auto before = current_handler();
  std::optional<MappedFile> file(file_of("some bytes"));
  EXPECT_NE(current_handler(), before);
  file.reset();
  EXPECT_EQ(current_handler(), before);
}

volatile std::sig_atomic_t handed_on = 0;

TEST(MappedFile, HandsOnTheSignalsOfOthers) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { handed_on = 1; };
  ::sigaction(SIGBUS, &action, &before);
  {
    const MappedFile file(file_of("some bytes"));
    ::raise(SIGBUS);
  }
  ::sigaction(SIGBUS, &before, nullptr);
  EXPECT_EQ(handed_on, 1);
}

TEST(MappedFileDeathTest, AnotherBrokenMappingStillEndsTheProcess) {
  const auto path = file_of(std::string(kFileSize, 'x'));
  const auto die = [&] {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGBUS, &action, nullptr);
    const MappedFile file(path);
    const int descriptor = ::open(path.c_str(), O_RDONLY);
    void* address = ::mmap(nullptr, kFileSize, PROT_READ, MAP_PRIVATE, descriptor, 0);
    fs::resize_file(path, 0);
    ::_exit(static_cast<volatile char*>(address)[4096]);
  };
  EXPECT_EXIT(die(), ::testing::KilledBySignal(SIGBUS), "");
}

TEST(MappedFile, OpensRegularFilesOnly) {
  const auto fifo = file_of("");
  fs::remove(fifo);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const fs::path& path : {fifo, fs::path("/dev/zero"), fs::path("/tmp")}) {
    EXPECT_EQ(read(path).errors.at(0).message, "not a regular file");
  }
}

TEST(Read, AFileThatIsCutMeanwhileIsAnError) {
  const auto path = file_of(std::string(kFileSize, ' '));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    while (!done) {
      fs::resize_file(path, 0);
      fs::resize_file(path, kFileSize);
    }
  });
  for (int index = 0; index < 500; ++index) {
    const auto file = read(path);
    EXPECT_EQ(file.errors.size(), 1U);
    EXPECT_EQ(file.path, path.string());
  }
  done = true;
  writer.join();
}

}  // namespace
}  // namespace archgrid::fatbin
