// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <io.h>
#include <windows.h>

#include <archgrid/system/mapped_file.hpp>
#include <stdexcept>

#include "problem.hpp"

namespace archgrid::system {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, problem_text(GetLastError())));
}

// Opens regular files only: opening a device may do anything.
int open_regular(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error("not a regular file");
  }
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path.c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) fail("cannot open");
  return _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_RDONLY | _O_BINARY);
}

HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

bool inspect(int descriptor, std::uint64_t& size, std::uint64_t& modified) {
  BY_HANDLE_FILE_INFORMATION status = {};
  if (GetFileInformationByHandle(handle_of(descriptor), &status) == 0) return false;
  const auto& time = status.ftLastWriteTime;
  size = std::uint64_t{status.nFileSizeHigh} << 32U | status.nFileSizeLow;
  modified = std::uint64_t{time.dwHighDateTime} << 32U | time.dwLowDateTime;
  return true;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : MappedFile(open_regular(path)) {}

MappedFile::MappedFile(int descriptor) : descriptor_(descriptor) {
  try {
    map();
  } catch (...) {
    _close(descriptor_);
    throw;
  }
}

void MappedFile::map() {
  std::uint64_t size = 0;
  if (GetFileType(handle_of(descriptor_)) != FILE_TYPE_DISK) {
    throw std::runtime_error("not a regular file");
  }
  if (!inspect(descriptor_, size, modified_)) fail("cannot inspect");
  if (size == 0) return;
  size_ = size;
  const HANDLE mapping =
      CreateFileMappingW(handle_of(descriptor_), nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapping == nullptr) fail("cannot map");
  address_ = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
  const auto error = GetLastError();
  CloseHandle(mapping);  // the view keeps it
  SetLastError(error);
  if (address_ == nullptr) fail("cannot map");
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) UnmapViewOfFile(address_);
  _close(descriptor_);
}

std::string_view MappedFile::bytes() const {
  return {static_cast<const char*>(address_), size_};
}

std::string MappedFile::change() const {
  std::uint64_t size = 0;
  std::uint64_t modified = 0;
  if (!inspect(descriptor_, size, modified)) {
    return fmt::format("cannot inspect: {}", problem_text(GetLastError()));
  }
  const bool changed = size != size_ || modified != modified_;
  return changed ? "it changed while it was read: try again when nothing writes to it" : "";
}

// Windows takes pages of mapped files back by itself.
void release(std::string_view) {}

bool may_copy_from_file(std::string_view) {
  return false;
}

void copy_from_file(std::string_view, char*) {}

}  // namespace archgrid::system
