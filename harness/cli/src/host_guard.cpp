// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host_guard.hpp"

#include <archgrid/launches.hpp>
#include <archgrid/system/terminal.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "progress.hpp"
#include "pypi.hpp"

namespace archgrid::cli {
namespace {

using coverage::ComputeCapability;
using coverage::HostCheck;
using launches::Gpu;
using launches::Launch;

std::vector<Gpu> gpus_of(const std::vector<ComputeCapability>& devices) {
  std::vector<Gpu> gpus;
  for (const auto device : devices) gpus.push_back({device.major, device.minor});
  return gpus;
}

/// Room for the bytes of files that were read.
constexpr std::uint64_t kMaxInMemory = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxOnDisk = std::uint64_t{2} << 30;
/// Members that are still to be unpacked need room, too.
constexpr std::uint64_t kMinFree = std::uint64_t{8} << 30;
/// A file on disk takes a descriptor, and a process has a few hundred of them.
constexpr std::size_t kMaxKept = 64;

/// Reports whether a file has to be unpacked to be read.
bool is_member(const std::string& path) {
  return path.find('!') != std::string::npos;
}

}  // namespace

class HostFiles::Impl {
 public:
  void keep(const std::string& path, const archive::Contents& contents) {
    if (!is_member(path) || kept_.size() == kMaxKept) return;
    const auto in_memory = contents.memory();
    const auto on_disk = in_memory > 0 ? 0 : contents.bytes().size();
    if (in_memory_ + in_memory > kMaxInMemory || on_disk_ + on_disk > kMaxOnDisk) return;
    if (on_disk > 0 && archive::free_space() < kMinFree) return;
    in_memory_ += in_memory;
    on_disk_ += on_disk;
    kept_.emplace(path, contents);
  }

  HostCheck find_check(const std::string& path, const std::string& kernel,
                       ComputeCapability failing, const std::vector<ComputeCapability>& working) {
    ProgressLine line(system::kStandardError);
    line.show("following the host code of " + path.substr(path.find_last_of("/!") + 1));
    auto* const code = code_of(path);
    if (code == nullptr) return HostCheck::unreadable;
    const Gpu gpu = {failing.major, failing.minor};
    if (code->is_guarded(kernel, {gpu}, gpus_of(working))) return HostCheck::present;
    if (code->launch_of(kernel, gpu) != Launch::reachable) return HostCheck::unknown;
    return code->is_guarded_on_some_paths(kernel, gpu, gpus_of(working)) ? HostCheck::partial
                                                                         : HostCheck::absent;
  }

 private:
  /// Returns the code of a file; null if it is of a kind that is not read. Only one is held.
  launches::HostCode* code_of(const std::string& path) {
    if (code_ && path == path_) return code_.get();
    if (unreadable_.count(path) != 0) return nullptr;
    const auto kept = kept_.find(path);
    auto contents = kept == kept_.end() ? archive::contents_of(real_path(path)) : kept->second;
    if (!contents || !launches::HostCode::may_read(contents->bytes())) {
      unreadable_.insert(path);
      return nullptr;
    }
    code_.reset();
    contents_ = std::move(contents);
    code_ = std::make_unique<launches::HostCode>(contents_->bytes());
    path_ = path;
    return code_.get();
  }

  std::uint64_t in_memory_ = 0;
  std::uint64_t on_disk_ = 0;
  std::map<std::string, archive::Contents> kept_;
  std::set<std::string> unreadable_;
  std::string path_;
  std::optional<archive::Contents> contents_;
  std::unique_ptr<launches::HostCode> code_;
};

HostFiles::HostFiles() : impl_(std::make_shared<Impl>()) {}

void HostFiles::keep(const std::string& path, const archive::Contents& contents) {
  impl_->keep(path, contents);
}

coverage::HostGuard HostFiles::guard() const {
  return [impl = impl_](const std::string& path, const std::string& kernel,
                        ComputeCapability failing, const std::vector<ComputeCapability>& working) {
    return impl->find_check(path, kernel, failing, working);
  };
}

}  // namespace archgrid::cli
