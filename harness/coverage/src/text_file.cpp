// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/coverage/text_file.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

namespace archgrid::coverage {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& problem) {
  throw FileError(fmt::format("{}: {}", path.string(), problem));
}

void expect_file(const fs::path& path, Pipes pipes) {
  if (path.empty()) throw FileError("the path is empty: name a file");
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) refuse(path, fmt::format("cannot open: {}", error.message()));
  if (fs::is_directory(status)) refuse(path, "it is a folder: name a file");
  if (pipes == Pipes::refused && !fs::is_regular_file(status)) {
    refuse(path, "not a regular file: name a file");
  }
}

}  // namespace

void expect_regular_file(const fs::path& path) {
  expect_file(path, Pipes::refused);
}

std::string read_text_file(const fs::path& path, std::uintmax_t max_bytes, Pipes pipes) {
  constexpr std::size_t kBlock = 65536;
  expect_file(path, pipes);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, fmt::format("cannot open: {}", std::strerror(errno)));
  std::string text;
  std::array<char, kBlock> block;
  while (stream && text.size() <= max_bytes) {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) refuse(path, "cannot be read");
  if (text.size() > max_bytes) refuse(path, fmt::format("larger than {} MiB", max_bytes >> 20U));
  return text;
}

std::string own_file_in(const std::string& folder, const std::string& program) {
  fs::create_directories(folder);
  const std::string stem = folder + fs::path(program).filename().string();
  for (int number = 0;; ++number) {
    const std::string path = stem + (number == 0 ? "" : "_" + std::to_string(number)) + ".json";
    if (std::FILE* const file = std::fopen(path.c_str(), "wx"); file != nullptr) {
      std::fclose(file);
      return path;
    }
    if (errno != EEXIST) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

}  // namespace archgrid::coverage
