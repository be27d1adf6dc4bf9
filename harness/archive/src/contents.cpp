// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

#include "keep.hpp"
#include "problem.hpp"

namespace archgrid::archive {
namespace {

/// Returns the folders for temporary files, best first. $TMPDIR excludes the others.
std::vector<std::string> spool_folders() {
  const char* wanted = std::getenv("TMPDIR");
  if (wanted != nullptr && *wanted != '\0') return {wanted};
  return {"/var/tmp", "/tmp"};
}

/// An unlinked temporary file; it disappears once it is neither open nor mapped.
class Spool {
 public:
  Spool() {
    for (const auto& folder : spool_folders()) {
      folder_ = folder;
      descriptor_ = open_in(folder_);
      if (descriptor_ >= 0) break;
    }
    if (descriptor_ < 0) fail();
  }
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  Contents take() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    try {
      return Contents(std::make_shared<const fatbin::MappedFile>(descriptor));
    } catch (const std::runtime_error& error) {
      throw Problem(error.what());
    }
  }

 private:
  static int open_in(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
    auto name = folder + "/archgrid-XXXXXX";  // not every file system supports O_TMPFILE
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(name.c_str());
    return named;
  }

  [[noreturn]] void fail() const {
    throw Problem(
        fmt::format("it cannot be unpacked to {}: {}: make room there, or set TMPDIR to a folder "
                    "that has some",
                    folder_, std::strerror(errno)));
  }

  std::string folder_;
  int descriptor_ = -1;
};

/// Bytes in memory up to the limit; beyond it, all of them are in a file.
class Store {
 public:
  explicit Store(std::uint64_t in_memory) : in_memory_(in_memory) {}

  void add(std::string_view bytes) {
    if (!spool_ && memory_.size() + bytes.size() > in_memory_) {
      spool_.emplace();
      spool_->add(memory_);
      memory_ = {};
    }
    if (spool_) {
      spool_->add(bytes);
    } else {
      memory_ += bytes;
    }
  }

  Contents take() { return spool_ ? spool_->take() : Contents(std::move(memory_)); }

 private:
  std::uint64_t in_memory_;
  std::string memory_;
  std::optional<Spool> spool_;
};

}  // namespace

Contents::Contents(std::string bytes)
    : memory_(std::make_shared<const std::string>(std::move(bytes))) {
  bytes_ = *memory_;
}

Contents::Contents(std::shared_ptr<const fatbin::MappedFile> file)
    : bytes_(file->bytes()), file_(std::move(file)) {}

bool Contents::contains(std::string_view part) const {
  const std::less_equal<> ordered;
  return !part.empty() && ordered(bytes_.data(), part.data()) &&
         ordered(part.data() + part.size(), bytes_.data() + bytes_.size());
}

Contents Contents::slice(std::string_view part) const {
  auto result = *this;
  result.bytes_ = part;
  return result;
}

std::uint64_t free_space() {
  std::error_code error;
  const auto space = std::filesystem::space(spool_folders().front(), error);
  return error ? 0 : space.available;
}

Contents keep(Stream& stream, const Contents& kept, const Limits& limits) {
  std::string_view in_place;
  auto chunk = stream.next();
  while (kept.contains(chunk) &&
         (in_place.empty() || in_place.data() + in_place.size() == chunk.data())) {
    in_place = {in_place.empty() ? chunk.data() : in_place.data(), in_place.size() + chunk.size()};
    chunk = stream.next();
  }
  if (chunk.empty() && !in_place.empty()) return kept.slice(in_place);
  Store store(limits.in_memory);
  store.add(in_place);
  for (; !chunk.empty(); chunk = stream.next()) store.add(chunk);
  return store.take();
}

}  // namespace archgrid::archive
