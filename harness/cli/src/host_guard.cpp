// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host_guard.hpp"

#include <unistd.h>

#include <archgrid/archive.hpp>
#include <archgrid/launches.hpp>
#include <memory>
#include <utility>

#include "progress.hpp"

namespace archgrid::cli {
namespace {

using coverage::Device;
using launches::Gpu;
using launches::Launch;

std::vector<Gpu> gpus_of(const std::vector<Device>& devices) {
  std::vector<Gpu> gpus;
  for (const auto device : devices) gpus.push_back({device.major, device.minor});
  return gpus;
}

/// The host code of the file that was asked about last.
class HostCodes {
 public:
  std::optional<bool> is_guarded(const std::string& path, const std::string& kernel, Device failing,
                                 const std::vector<Device>& working) {
    ProgressLine line(STDERR_FILENO);
    line.show("following the host code of " + path.substr(path.find_last_of("/!") + 1));
    auto* const code = code_of(path);
    if (code == nullptr) return std::nullopt;
    const Gpu gpu = {failing.major, failing.minor};
    if (code->is_guarded(kernel, {gpu}, gpus_of(working))) return true;
    const bool is_launched = code->launch_of(kernel, gpu) == Launch::reachable;
    return is_launched ? std::optional<bool>(false) : std::nullopt;
  }

 private:
  launches::HostCode* code_of(const std::string& path) {
    if (path == path_) return code_.get();
    path_ = path;
    code_.reset();
    contents_ = archive::contents_of(path);
    if (contents_) code_ = std::make_unique<launches::HostCode>(contents_->bytes());
    return code_.get();
  }

  std::string path_;
  std::optional<archive::Contents> contents_;
  std::unique_ptr<launches::HostCode> code_;
};

}  // namespace

coverage::HostGuard follow_host_code() {
  const auto codes = std::make_shared<HostCodes>();
  return [codes](const std::string& path, const std::string& kernel, Device failing,
                 const std::vector<Device>& working) {
    return codes->is_guarded(path, kernel, failing, working);
  };
}

}  // namespace archgrid::cli
