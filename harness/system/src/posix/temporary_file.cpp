// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <archgrid/system/temporary_file.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace archgrid::system {
namespace {

/// Returns the folders for temporary files, best first. $TMPDIR excludes the others.
std::vector<std::string> temporary_folders() {
  const char* wanted = std::getenv("TMPDIR");
  if (wanted != nullptr && *wanted != '\0') return {wanted};
  return {"/var/tmp", "/tmp"};
}

int open_in(const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
#endif
  auto name = folder + "/archgrid-XXXXXX";  // not every file system supports O_TMPFILE
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

TemporaryFile::TemporaryFile() {
  for (const auto& folder : temporary_folders()) {
    folder_ = folder;
    descriptor_ = open_in(folder_);
    if (descriptor_ >= 0) break;
  }
  if (descriptor_ < 0) fail();
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TemporaryFile::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
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
  const auto space = std::filesystem::space(temporary_folders().front(), error);
  return error ? 0 : space.available;
}

}  // namespace archgrid::system
