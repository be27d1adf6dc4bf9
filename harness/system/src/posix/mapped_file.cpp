// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/system/mapped_file.hpp>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace archgrid::system {
namespace {

using Address = std::uintptr_t;

/// The record of one mapping. A signal handler walks the list of guards, so they are reused and
/// never freed.
struct Guard {
  std::atomic<Address> begin = 0;
  std::atomic<Address> end = 0;   ///< 0: no mapping
  std::atomic<unsigned> use = 0;  ///< counts the mappings that have used it
  std::atomic<int> descriptor = -1;
  std::atomic<bool> lost = false;
  std::atomic<bool> taken = true;
  Guard* next = nullptr;
};

std::atomic<Guard*> first_guard = nullptr;
std::mutex handler_mutex;
std::size_t mappings = 0;
struct sigaction previous_action = {};

Address page_size() {
  static const auto size = static_cast<Address>(::sysconf(_SC_PAGESIZE));
  return size;
}

Guard* guard_at(Address address) {
  for (auto* guard = first_guard.load(); guard != nullptr; guard = guard->next) {
    const unsigned use = guard->use;
    const bool is_there = guard->begin <= address && address < guard->end;
    // Otherwise begin and end may belong to two mappings that used the guard in turn.
    if (is_there && guard->use == use) return guard;
  }
  return nullptr;
}

/// Maps zeros over bytes that the file no longer has: from the page of `address` to the end.
bool replace_lost(Guard& guard, Address address) {
  const auto page = address & ~(page_size() - 1);
  auto* const begin = reinterpret_cast<void*>(page);
  if (::mmap(begin, guard.end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    return false;
  }
  guard.lost = true;
  return true;
}

void hand_on(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else {
    // The access is retried, and ends the process as it would without this handler.
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGBUS, &action, nullptr);
  }
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<Address>(info->si_addr);
  auto* const guard = guard_at(address);
  if (guard == nullptr || !replace_lost(*guard, address)) hand_on(signal, info, context);
  errno = error;
}

void add_handler() {
  const std::lock_guard lock(handler_mutex);
  if (mappings++ > 0) return;
  page_size();
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &previous_action);
}

void remove_handler() {
  const std::lock_guard lock(handler_mutex);
  if (--mappings > 0) return;
  struct sigaction current = {};
  ::sigaction(SIGBUS, nullptr, &current);
  const bool ours = (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_bus_error;
  if (ours) ::sigaction(SIGBUS, &previous_action, nullptr);
}

Guard* new_guard() {
  for (auto* guard = first_guard.load(); guard != nullptr; guard = guard->next) {
    bool taken = false;
    if (guard->taken.compare_exchange_strong(taken, true)) return guard;
  }
  auto* const guard = new Guard;
  guard->next = first_guard.load();
  while (!first_guard.compare_exchange_weak(guard->next, guard)) {
  }
  return guard;
}

Guard* guard_bytes(std::string_view bytes, int descriptor) {
  auto* const guard = new_guard();
  add_handler();
  guard->lost = false;
  guard->descriptor = descriptor;
  guard->begin = reinterpret_cast<Address>(bytes.data());
  ++guard->use;  // between the two, so that readers of the old begin and the new end notice
  guard->end = guard->begin + bytes.size();
  return guard;
}

void unguard(Guard& guard) {
  guard.end = 0;
  guard.taken = false;
  remove_handler();
}

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

// Opens regular files only: opening a FIFO waits for a writer, and opening a device may do
// anything.
int open_regular(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw std::runtime_error("not a regular file");
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) fail("cannot open");
  return descriptor;
}

/// Reads `wanted` bytes, or as many as there are, and returns their number.
std::size_t read_at(int descriptor, char* to, std::size_t wanted, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < wanted) {
    const auto read =
        ::pread(descriptor, to + done, wanted - done, static_cast<off_t>(offset + done));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) break;
    done += static_cast<std::size_t>(read);
  }
  return done;
}

/// Returns the time of the last change in nanoseconds.
std::uint64_t modified_time(const struct stat& status) {
#ifdef __APPLE__
  const auto& time = status.st_mtimespec;
#else
  const auto& time = status.st_mtim;
#endif
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : MappedFile(open_regular(path)) {}

MappedFile::MappedFile(int descriptor) : descriptor_(descriptor) {
  try {
    map();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void MappedFile::map() {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot inspect");
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("not a regular file");
  modified_ = modified_time(status);
  if (status.st_size == 0) return;
  size_ = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (address == MAP_FAILED) fail("cannot map");
  address_ = address;
  guard_ = guard_bytes(bytes(), descriptor_);
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) {
    // Before munmap(), as another mapping may then get the same address.
    unguard(*static_cast<Guard*>(guard_));
    ::munmap(address_, size_);
  }
  ::close(descriptor_);
}

std::string_view MappedFile::bytes() const {
  return {static_cast<const char*>(address_), size_};
}

std::string MappedFile::change() const {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) {
    return fmt::format("cannot inspect: {}", std::strerror(errno));
  }
  if (static_cast<std::size_t>(status.st_size) != size_ || modified_time(status) != modified_) {
    return "it changed while it was read: try again when nothing writes to it";
  }
  const bool lost = guard_ != nullptr && static_cast<const Guard*>(guard_)->lost;
  return lost ? "a part of it cannot be read: is the disk in order?" : "";
}

void release(std::string_view bytes) {
  const auto begin = reinterpret_cast<Address>(bytes.data());
  if (bytes.empty() || guard_at(begin) == nullptr) return;
  // Pages that are shared with neighbours stay.
  const auto first = (begin + page_size() - 1) & ~(page_size() - 1);
  const auto last = (begin + bytes.size()) & ~(page_size() - 1);
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

bool may_copy_from_file(std::string_view bytes) {
  return guard_at(reinterpret_cast<Address>(bytes.data())) != nullptr;
}

void copy_from_file(std::string_view bytes, char* to) {
  const auto begin = reinterpret_cast<Address>(bytes.data());
  auto* const guard = guard_at(begin);
  const auto read = read_at(guard->descriptor, to, bytes.size(), begin - guard->begin);
  if (read == bytes.size()) return;
  std::memset(to + read, 0, bytes.size() - read);
  guard->lost = true;
}

}  // namespace archgrid::system
