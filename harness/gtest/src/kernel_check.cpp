// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "kernel_check.hpp"

#include <link.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace archgrid::gtest {
namespace {

using coverage::Device;
using coverage::Verdict;

Device device_of(device::Capability capability) {
  return {capability.major, capability.minor};
}

bool holds(const std::vector<Device>& devices, Device device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool is_virtual(std::string_view arch) {
  constexpr std::string_view suffix = "-virtual";
  return arch.size() > suffix.size() && arch.substr(arch.size() - suffix.size()) == suffix;
}

/// The libraries that NVIDIA ships beside its toolkits and in packages of their own.
constexpr std::string_view kNvidiaLibraries[] = {
    "libcublas", "libcublasLt", "libcudart", "libcudnn", "libcufft", "libcufftw", "libcurand",
    "libcusolver", "libcusolverMg", "libcusparse", "libcusparseLt", "libnccl", "libnvJitLink",
    "libnvrtc", "libnvrtc-builtins", "libnvjpeg", "libnvblas", "libcufile",
    // The parts of cuDNN: those of 9, then those of 8.
    "libcudnn_adv", "libcudnn_cnn", "libcudnn_engines_precompiled",
    "libcudnn_engines_runtime_compiled", "libcudnn_engines_tensor_ir", "libcudnn_ext",
    "libcudnn_graph", "libcudnn_heuristic", "libcudnn_ops", "libcudnn_adv_infer",
    "libcudnn_adv_train", "libcudnn_cnn_infer", "libcudnn_cnn_train", "libcudnn_etc",
    "libcudnn_ops_infer", "libcudnn_ops_train"};

/// Packagers bundle them under names like libcublas-3b81d170.so.11.
bool is_digest(std::string_view text) {
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  return text.size() >= 8 && text.find_first_not_of(kHexadecimal) == std::string_view::npos;
}

// Whole names: libcufft_of_mine.so is the project's.
bool is_nvidia_name(const std::string& file) {
  const auto end = file.find(".so");
  if (end == std::string::npos) return false;
  auto name = std::string_view(file).substr(0, end);
  const auto dash = name.rfind('-');
  if (dash != std::string_view::npos && is_digest(name.substr(dash + 1))) {
    name = name.substr(0, dash);
  }
  return std::find(std::begin(kNvidiaLibraries), std::end(kNvidiaLibraries), name) !=
         std::end(kNvidiaLibraries);
}

/// Of NVIDIA's libraries: all but those that only load, link and compile.
bool launches_kernels(const std::string& library) {
  constexpr std::string_view kOthers[] = {"libcudart", "libnvrtc", "libnvJitLink", "libcufile"};
  const std::string file = std::filesystem::path(library).filename().string();
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view name) { return file.rfind(name, 0) == 0; });
}

// Prefixes that hold more than the toolkit, such as /usr or a conda environment, are none.
bool is_toolkit(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::exists(folder / "bin" / "nvcc", error) &&
         std::filesystem::exists(folder / "nvvm" / "libdevice", error) &&
         !std::filesystem::exists(folder / "conda-meta", error);
}

int append_name(dl_phdr_info* object, std::size_t, void* names) {
  const std::string name = object->dlpi_name;
  // The executable has no name, and what the kernel maps in itself (linux-vdso.so.1) has no path.
  if (name.find('/') != std::string::npos) {
    static_cast<std::vector<std::string>*>(names)->push_back(name);
  }
  return 0;
}

/// What could not be read may hide a kernel, and what was stripped did.
void add_unreadable(const fatbin::File& file, std::vector<KernelFailure>& failures) {
  for (const fatbin::Error& error : file.errors) {
    failures.push_back(
        {file.path, std::nullopt, "unreadable: " + coverage::error_text(file.path, error)});
  }
  if (!file.dangling.empty()) {
    failures.push_back({file.path, std::nullopt,
                        "stripped: " + file.path + " registers " +
                            std::to_string(file.dangling.size()) +
                            " fat binaries that are not in it. Fix: do not strip .nv_fatbin"});
  }
}

/// What the driver looks at where it is told to compile PTX.
void leave_ptx_alone(fatbin::File& file) {
  auto& images = file.images;
  const auto is_machine_code = [](const fatbin::Image& image) {
    return image.kind == fatbin::Kind::sass;
  };
  images.erase(std::remove_if(images.begin(), images.end(), is_machine_code), images.end());
}

/// Fails the kernels of `all` that are not among those of PTX.
void add_without_ptx(const std::vector<coverage::Served>& all,
                     const std::vector<coverage::Served>& of_ptx, Device device,
                     std::vector<KernelFailure>& failures) {
  std::set<std::pair<std::string, std::string>> found;
  for (const coverage::Served& served : of_ptx) found.emplace(served.path, served.kernel.str());
  for (const coverage::Served& served : all) {
    if (found.count({served.path, served.kernel.str()}) > 0) continue;
    const std::string name = served.demangled.str();
    failures.push_back({name, Verdict::missing,
                        "missing on " + device.text() + ": " + name + " in " + served.path +
                            ": it has no PTX that could be compiled at run time. Fix: compile it "
                            "for a -virtual arch too"});
  }
}

coverage::Matrix read_matrix(const Settings& settings) {
  if (settings.matrix.empty()) return {};
  try {
    return coverage::read_matrix(settings.matrix);
  } catch (const coverage::MatrixError& error) {
    throw UsageError(error.what());
  }
}

/// What the settings' matrix file says of their toolkit.
coverage::Request request_of(const coverage::Matrix& matrix, const Settings& settings) {
  coverage::Request request;
  request.toolkit = coverage::parse_version(settings.toolkit);
  if (settings.matrix.empty()) return request;
  try {
    request.promises =
        request.toolkit ? coverage::promises_for(matrix, *request.toolkit) : matrix.promises;
  } catch (const coverage::MatrixError& error) {
    throw UsageError(error.what());
  }
  request.ignores = matrix.ignores;
  return request;
}

}  // namespace

bool is_of_nvidia(const std::string& library) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(library, error);
  if (error) return false;  // judged, and then unreadable
  if (is_nvidia_name(path.filename().string())) return true;
  for (auto folder = path.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (is_toolkit(folder)) return true;
  }
  return false;
}

LoadedFiles loaded_files() {
  LoadedFiles loaded;
  loaded.judged = {std::filesystem::read_symlink("/proc/self/exe").string()};
  std::vector<std::string> libraries;
  dl_iterate_phdr(append_name, &libraries);
  for (const std::string& library : libraries) {
    if (is_of_nvidia(library)) {
      ++loaded.left_out;
      if (launches_kernels(library)) loaded.launching.push_back(library);
    } else {
      loaded.judged.push_back(library);
    }
  }
  return loaded;
}

KernelCheck::KernelCheck(const Settings& settings)
    : settings_(settings), matrix_(read_matrix(settings)), request_(request_of(matrix_, settings)) {
  // What is there to be compiled at run time is, promised or not.
  if (!is_virtual(settings.arch) && settings.load != Load::jit) return;
  request_.unpromised.insert(Verdict::jit);
  for (coverage::Promise& promise : request_.promises) promise.accept.insert(Verdict::jit);
}

bool KernelCheck::is_promised(Device device) const {
  const auto& promises = request_.promises;
  return std::any_of(promises.begin(), promises.end(), [&](const coverage::Promise& promise) {
    return holds(promise.devices, device);
  });
}

coverage::Verdicts KernelCheck::accepted_on(Device device) const {
  if (!is_promised(device)) return request_.unpromised;
  coverage::Verdicts accepted;
  for (const coverage::Promise& promise : request_.promises) {
    if (holds(promise.devices, device))
      accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

bool KernelCheck::accepts_jit() const {
  if (request_.unpromised.count(Verdict::jit) > 0) return true;
  const auto& promises = request_.promises;
  return std::any_of(promises.begin(), promises.end(), [&](const coverage::Promise& promise) {
    const bool is_asked_for =
        !settings_.device || holds(promise.devices, device_of(*settings_.device));
    return is_asked_for && promise.accept.count(Verdict::jit) > 0;
  });
}

std::string KernelCheck::skip_reason(const std::string& test, device::Capability gpu) const {
  const auto* skip = coverage::skip_for(matrix_, test, device_of(gpu));
  return skip == nullptr ? "" : settings_.matrix + ": " + skip->place + ": " + skip->reason;
}

std::string KernelCheck::not_for(device::Capability gpu) const {
  const Device device = device_of(gpu);
  // A single cell is for every GPU that its arch serves, promised or not.
  if (!settings_.arch.empty()) return not_served(device);
  if (settings_.matrix.empty() || is_promised(device)) return "";
  return settings_.matrix + " promises nothing for " + device.text() + " with CUDA " +
         settings_.toolkit;
}

std::string KernelCheck::not_served(Device device) const {
  const std::string& arch = settings_.arch;
  if (coverage::arch_serves(arch, device, accepted_on(device))) return "";
  const bool runs =
      coverage::arch_serves(arch, device, {Verdict::native, Verdict::compatible, Verdict::jit});
  return "this cell is compiled for " + arch + ", which does not serve " + device.text() +
         (runs ? " in a way that is accepted" : "");
}

std::string KernelCheck::told(const coverage::Served& served, Device device) const {
  const std::string cell = settings_.cell.empty() ? "" : " of cell " + settings_.cell;
  return std::string(coverage::name_of(served.judgement.verdict)) + " on " + device.text() + ": " +
         served.demangled.str() + " in " + served.path + cell + ": " +
         served.judgement.reason.str() + ". Fix: " + served.fix;
}

KernelReport KernelCheck::judge(const std::vector<std::string>& files, device::Capability gpu,
                                int driver_version) const {
  KernelReport report;
  const Device device = device_of(gpu);
  const bool forced_jit = settings_.load == Load::jit;
  fatbin::ReadOptions reading = fatbin::Detail::bodies;
  if (!forced_jit) {
    reading.takes_ptx = [device](const auto& images) {
      return coverage::needs_ptx(images, {device});
    };
  }
  std::vector<fatbin::File> contents;
  for (const std::string& path : files) {
    contents.push_back(fatbin::read(path, reading));
    add_unreadable(contents.back(), report.failures);
  }
  coverage::Request request = request_;
  request.driver = coverage::parse_driver(device::text_of_version(driver_version));
  report.verdicts = coverage::serve(contents, device, request);
  if (forced_jit) {
    const auto all = std::move(report.verdicts);
    for (fatbin::File& file : contents) leave_ptx_alone(file);
    report.verdicts = coverage::serve(contents, device, request);
    add_without_ptx(all, report.verdicts, device, report.failures);
  }
  for (const coverage::Served& served : report.verdicts) {
    if (served.forgiven) {
      ++report.forgiven;
    } else if (!served.accepted) {
      report.failures.push_back(
          {served.demangled.str(), served.judgement.verdict, told(served, device)});
    }
  }
  return report;
}

}  // namespace archgrid::gtest
