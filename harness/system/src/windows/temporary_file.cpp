// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <archgrid/system/temporary_file.hpp>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "problem.hpp"

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

fs::path temporary_folder() {
  const char* wanted = std::getenv("TMPDIR");
  if (wanted != nullptr && *wanted != '\0') return wanted;
  std::error_code error;
  return fs::temp_directory_path(error);
}

}  // namespace

TemporaryFile::TemporaryFile() {
  static std::atomic<unsigned> count = 0;
  folder_ = temporary_folder().string();
  const auto path =
      fs::path(folder_) / fmt::format("archgrid-{}-{}", GetCurrentProcessId(), count++);
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file =
      CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, kShared, nullptr, CREATE_NEW,
                  FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    throw std::runtime_error(fmt::format("{}: {}", folder_, problem_text(GetLastError())));
  }
  descriptor_ = _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_RDWR | _O_BINARY);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) _close(descriptor_);
}

void TemporaryFile::add(std::string_view bytes) {
  constexpr std::size_t kMax = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto size = static_cast<unsigned>(std::min(bytes.size(), kMax));
    const int written = _write(descriptor_, bytes.data(), size);
    if (written <= 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::shared_ptr<const MappedFile> TemporaryFile::map() {
  return std::make_shared<const MappedFile>(std::exchange(descriptor_, -1));
}

void TemporaryFile::fail() const {
  throw std::runtime_error(fmt::format("{}: {}", folder_, std::strerror(errno)));
}

std::uint64_t free_temporary_space() {
  std::error_code error;
  const auto space = fs::space(temporary_folder(), error);
  return error ? 0 : space.available;
}

}  // namespace archgrid::system
