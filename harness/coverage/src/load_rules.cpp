// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>

#include "image_choice.hpp"

namespace archgrid::coverage {
namespace {

// CUDA 13.0 renamed sm_101 to sm_110: one chip, so the suffix makes no difference. It is unknown
// whether code of one loads on the other.
bool renamed(int number, int device) {
  return (number == 101 && device == 110) || (number == 110 && device == 101);
}

/// Reports whether the device can compile the PTX, at least without its suffix.
bool may_reach(const fatbin::Image& image, ComputeCapability device) {
  return image.kind == fatbin::Kind::ptx && ptx_reaches({image.arch.number, '\0'}, device);
}

}  // namespace

bool may_meet(const fatbin::File& file, const Architecture& gpu) {
  return gpu.host_cpu.empty() || file.host_cpu.empty() || gpu.host_cpu == file.host_cpu;
}

// The order of suffixes is not documented. Libraries ship an empty plain body beside a real `a` one
// in one container, and work.
std::tuple<int, int> load_priority(fatbin::Arch arch) {
  const int rank = arch.suffix == 'a' ? 2 : arch.suffix == 'f' ? 1 : 0;
  return {arch.number, rank};
}

Loads sass_loads(fatbin::Arch arch, ComputeCapability device) {
  const int wanted = device.number();
  if (arch.number == wanted) return Loads::yes;
  if (renamed(arch.number, wanted)) return Loads::unsure;
  if (arch.suffix == 'a' || arch.number > wanted) return Loads::no;
  if (arch.suffix == 'f') {
    return table().same_family(arch.number, wanted) ? Loads::yes : Loads::no;
  }
  if (arch.number / 10 != device.major) return Loads::no;
  const bool integrated = table().is_integrated(arch.number) || table().is_integrated(wanted);
  return integrated ? Loads::unsure : Loads::yes;
}

bool ptx_reaches(fatbin::Arch arch, ComputeCapability device) {
  if (arch.suffix == 'a') return arch.number == device.number();
  if (arch.number > device.number()) return false;
  return arch.suffix != 'f' || table().same_family(arch.number, device.number());
}

bool needs_ptx(const std::vector<const fatbin::Image*>& images,
               const std::vector<ComputeCapability>& devices) {
  return std::any_of(devices.begin(), devices.end(), [&](ComputeCapability device) {
    const auto loads = [&](const fatbin::Image* image) { return is_sure_to_load(*image, device); };
    const auto reaches = [&](const fatbin::Image* image) { return may_reach(*image, device); };
    return std::none_of(images.begin(), images.end(), loads) &&
           std::any_of(images.begin(), images.end(), reaches);
  });
}

}  // namespace archgrid::coverage
