// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "monitor.hpp"

#include <dlfcn.h>

#include <memory>

namespace archgrid::perf {
namespace {

// NVML's numbers and bits, from its reference: developer.nvidia.com, "NVML API Reference Guide",
// nvmlClockType_t, nvmlTemperatureSensors_t and nvmlClocksEventReasons (formerly ThrottleReasons).
constexpr int kSuccess = 0;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuTemperature = 0;

struct Reason {
  unsigned long long bit;
  const char* name;
  bool throttles;  ///< lowers the clock for a reason other than the work
};

// A power cap does not count: it is normal at full load, and the clock shows its cost.
constexpr Reason kReasons[] = {{0x1, "GpuIdle", false},
                               {0x2, "ApplicationsClocksSetting", false},
                               {0x4, "SwPowerCap", false},
                               {0x8, "HwSlowdown", true},
                               {0x10, "SyncBoost", false},
                               {0x20, "SwThermalSlowdown", true},
                               {0x40, "HwThermalSlowdown", true},
                               {0x80, "HwPowerBrakeSlowdown", true},
                               {0x100, "DisplayClockSetting", false}};

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

struct Monitor::Library {
  void* handle = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_of)(const char*, void**) = nullptr;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*temperature)(void*, int, unsigned*) = nullptr;
  int (*reasons)(void*, unsigned long long*) = nullptr;

  bool load() {
    handle = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (handle == nullptr) return false;
    find(handle, "nvmlInit_v2", init);
    find(handle, "nvmlShutdown", shutdown);
    find(handle, "nvmlSystemGetDriverVersion", driver_version);
    find(handle, "nvmlDeviceGetHandleByPciBusId_v2", device_of);
    find(handle, "nvmlDeviceGetClockInfo", clock);
    find(handle, "nvmlDeviceGetTemperature", temperature);
    // Renamed from nvmlDeviceGetCurrentClocksThrottleReasons, which still exists.
    find(handle, "nvmlDeviceGetCurrentClocksEventReasons", reasons);
    if (reasons == nullptr) find(handle, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons);
    return init != nullptr && shutdown != nullptr && device_of != nullptr && init() == kSuccess;
  }
};

Monitor::Monitor(const std::string& pci_bus_id) {
  auto library = std::make_unique<Library>();
  if (!library->load()) return;
  library_ = library.release();
  if (library_->device_of(pci_bus_id.c_str(), &device_) != kSuccess) device_ = nullptr;
}

Monitor::~Monitor() {
  if (library_ == nullptr) return;
  library_->shutdown();
  delete library_;
}

void Monitor::look() {
  if (device_ == nullptr) return;
  unsigned value = 0;
  const auto& nvml = *library_;
  if (nvml.clock != nullptr) {
    if (nvml.clock(device_, kSmClock, &value) == kSuccess) sm_clock_.add(value);
    if (nvml.clock(device_, kMemoryClock, &value) == kSuccess) memory_clock_.add(value);
  }
  if (nvml.temperature != nullptr &&
      nvml.temperature(device_, kGpuTemperature, &value) == kSuccess) {
    temperature_.add(value);
  }
  unsigned long long reasons = 0;
  if (nvml.reasons != nullptr && nvml.reasons(device_, &reasons) == kSuccess) {
    reasons_ |= reasons;
    knows_reasons_ = true;
  }
}

void Monitor::describe(Run& run) const {
  run.sm_clock_mhz = sm_clock_.get();
  run.memory_clock_mhz = memory_clock_.get();
  run.temperature_celsius = temperature_.get();
  if (!knows_reasons_) return;
  run.throttled = false;
  for (const Reason& reason : kReasons) {
    if ((reasons_ & reason.bit) == 0) continue;
    run.throttle_reasons.emplace_back(reason.name);
    if (reason.throttles) run.throttled = true;
  }
}

std::string Monitor::driver() const {
  char text[96] = "";
  const bool known = library_ != nullptr && library_->driver_version != nullptr &&
                     library_->driver_version(text, sizeof text) == kSuccess;
  return known ? text : "";
}

void Monitor::Mean::add(unsigned value) {
  sum += value;
  ++count;
}

std::optional<double> Monitor::Mean::get() const {
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace archgrid::perf
