// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "modules.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace archgrid::fake_cudart {

using coverage::Verdict;
using fatbin::Image;
using fatbin::Kind;

namespace {

// Errors with the meaning that driver_types.h gives them.
constexpr int kInvalidKernelImage = 200;
constexpr int kNoKernelImageForDevice = 209;
constexpr int kInvalidPtx = 218;
constexpr int kUnsupportedPtxVersion = 222;
constexpr int kJitCompilationDisabled = 223;
constexpr int kInvalidSource = 300;
constexpr int kSymbolNotFound = 500;

bool is_container(const void* bytes) {
  constexpr std::uint32_t kMagic = 0xba55ed50;
  std::uint32_t magic = 0;
  if (bytes != nullptr) std::memcpy(&magic, bytes, sizeof magic);
  return magic == kMagic;
}

/// Returns a container's bytes. Its header is magic, version, header size, size of the rest.
std::string_view bytes_of(const void* container) {
  const auto* bytes = static_cast<const char*>(container);
  std::uint16_t header = 0;
  std::uint64_t rest = 0;
  std::memcpy(&header, bytes + 6, sizeof header);
  std::memcpy(&rest, bytes + 8, sizeof rest);
  return {bytes, static_cast<std::size_t>(header + rest)};
}

void add_module(const void* container, bool linked, bool relocatable, fatbin::File& file) {
  auto read = fatbin::read_bytes(bytes_of(container), "registered fat binary");
  fatbin::Module module;
  module.index = file.modules.size();
  module.registered = !relocatable;
  module.linked = linked;
  module.relocatable = relocatable;
  for (auto& image : read.images) {
    image.module = module.index;
    file.images.push_back(std::move(image));
  }
  file.modules.push_back(module);
  for (auto& error : read.errors) file.errors.push_back(std::move(error));
}

const fatbin::Kernel* find_kernel(const Image& image, const std::string& name) {
  const auto found =
      std::find_if(image.kernels.begin(), image.kernels.end(),
                   [&](const fatbin::Kernel& kernel) { return kernel.name == name; });
  return found == image.kernels.end() ? nullptr : &*found;
}

Loaded failed(int error) {
  Loaded loaded;
  loaded.error = error;
  return loaded;
}

/// Reports whether machine code is certain to load on the device.
bool surely_loads(const Image& image, coverage::ComputeCapability device) {
  return image.kind == Kind::sass &&
         coverage::sass_loads(image.arch, device) == coverage::Loads::yes;
}

/// Returns the error of reading the selected PTX of a module; 0 if it compiles.
int refusal_of(const Image& ptx, const coverage::Driver* driver) {
  const auto isa = coverage::parse_version(ptx.ptx_isa);
  if (!ptx.error.empty() || !isa) return kInvalidPtx;
  return driver != nullptr && driver->ptx_isa < *isa ? kUnsupportedPtxVersion : 0;
}

}  // namespace

struct Module::Case {
  const std::string& kernel;
  coverage::ComputeCapability device;
  const Settings& settings;
  const coverage::Driver* driver;
  Verdict verdict;
  std::vector<const Image*> taken;  ///< of the module, or of the objects that are linked again
  std::size_t objects;              ///< that are linked again; 0: linked machine code loads
};

Module::Module(const void* container, std::vector<const void*> parts, bool linked)
    : container_(container), parts_(std::move(parts)), linked_(linked) {}

const Module::Content& Module::content(bool without_machine_code) {
  if (content_) return *content_;
  content_ = std::make_unique<Content>();
  auto& file = content_->file;
  add_module(container_, linked_, false, file);
  for (const auto* part : parts_) {
    if (is_container(part)) add_module(part, false, true, file);
  }
  if (without_machine_code) {
    const auto is_sass = [](const Image& image) { return image.kind == Kind::sass; };
    file.images.erase(std::remove_if(file.images.begin(), file.images.end(), is_sass),
                      file.images.end());
  }
  content_->selector = std::make_unique<coverage::ImageSelector>(file);
  return *content_;
}

void Module::read(bool without_machine_code) {
  if (is_container(container_)) content(without_machine_code);
}

Loaded Module::load(const std::string& kernel, coverage::ComputeCapability device,
                    const Settings& settings) {
  if (!is_container(container_)) return failed(kInvalidKernelImage);
  const auto& [file, selector] = content(settings.jit_forced);
  const auto& judge = *selector;
  const coverage::KernelRow row{kernel, {}, {0}, false};
  const auto* driver = settings.driver ? &*settings.driver : nullptr;
  const auto taken = judge.taken_images(row, device, driver);
  const bool direct =
      !taken.empty() && taken.front()->module == 0 && surely_loads(*taken.front(), device);
  const Case asked{kernel,
                   device,
                   settings,
                   driver,
                   judge.verdict(row, device, driver),
                   taken,
                   direct ? 0 : file.modules.size() - 1};
  return answer(asked);
}

Loaded Module::answer(const Case& asked) {
  switch (asked.verdict) {
    case Verdict::native:
    case Verdict::compatible:
    case Verdict::jit:
    case Verdict::empty:
      return compile(asked);
    case Verdict::ptx_too_new:
    case Verdict::unknown:
    case Verdict::wrong_suffix:
    case Verdict::missing:
      break;
  }
  return refuse(asked);
}

/// Loads the image with the kernel among the selected images.
Loaded Module::compile(const Case& asked) {
  Loaded loaded;
  for (const auto* image : asked.taken) {
    const auto* kernel = find_kernel(*image, asked.kernel);
    const bool usable = image->kind == Kind::ptx || surely_loads(*image, asked.device);
    if (kernel == nullptr || !usable) continue;
    loaded.compiled = image->kind == Kind::ptx || asked.objects != 0;
    if (loaded.compiled && asked.settings.jit_disabled) return failed(kJitCompilationDisabled);
    const int refusal = image->kind == Kind::ptx ? refusal_of(*image, asked.driver) : 0;
    if (refusal != 0) return failed(refusal);
    loaded.arch = image->arch;
    loaded.ptx_arch = image->compiled_from.value_or(image->arch);
    loaded.kernel = *kernel;
    return loaded;
  }
  return failed(kSymbolNotFound);
}

/// Returns the error of a device link whose objects cannot be linked again, or lack the kernel. The
/// objects follow the link's own images in the order in which a driver reads them. 300 and 500 as
/// measured on an H200 with driver 580.159.04.
int Module::error_of_link(const Case& asked) {
  bool has_ptx = false;
  bool may_load = false;
  std::size_t usable = 0;
  int refusal = 0;
  for (const auto* image : asked.taken) {
    const bool is_ptx = image->kind == Kind::ptx;
    if (!is_ptx && !surely_loads(*image, asked.device)) {
      may_load = true;
      continue;
    }
    has_ptx = has_ptx || is_ptx;
    if (image->module != 0) ++usable;
    if (refusal != 0) continue;
    if (is_ptx) refusal = refusal_of(*image, asked.driver);
    if (!is_ptx && !image->error.empty()) refusal = kInvalidKernelImage;
  }
  if (has_ptx && asked.settings.jit_disabled) return kJitCompilationDisabled;
  if (refusal != 0) return refusal;
  if (may_load && asked.verdict == Verdict::unknown) return kNoKernelImageForDevice;
  return has_ptx && usable < asked.objects ? kInvalidSource : kSymbolNotFound;
}

/// Returns the error of a kernel without usable code: the module does not load, or it loads and
/// lacks the kernel. An image that is not known to load is refused.
Loaded Module::refuse(const Case& asked) {
  if (asked.objects != 0) return failed(error_of_link(asked));
  if (asked.taken.empty()) return failed(kNoKernelImageForDevice);
  const auto& image = *asked.taken.front();
  if (surely_loads(image, asked.device)) {
    return failed(image.error.empty() ? kSymbolNotFound : kInvalidKernelImage);
  }
  if (image.kind != Kind::ptx) return failed(kNoKernelImageForDevice);
  if (asked.settings.jit_disabled) return failed(kJitCompilationDisabled);
  const int refusal = refusal_of(image, asked.driver);
  return failed(refusal != 0 ? refusal : kSymbolNotFound);
}

}  // namespace archgrid::fake_cudart
