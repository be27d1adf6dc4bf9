// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "errors.hpp"
#include "unsupported.hpp"

namespace archgrid::fake_cudart {
namespace {

constexpr int kCudaMajor = CUDART_VERSION / 1000;
constexpr int kCudaMinor = CUDART_VERSION % 1000 / 10;
constexpr int kLazyFrom = 12020;  // first driver that loads lazily by default

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

/// Ends the process: the program can neither go on nor exit normally, as it may be anywhere.
[[noreturn]] void stop(const std::string& message) {
  std::fflush(nullptr);
  std::fprintf(stderr, "archgrid: fake runtime: %s\n", message.c_str());
  std::_Exit(2);
}

/// Removes the GPUs that the driver does not support: it does not show them.
void hide_unknown_devices(Settings& settings) {
  std::vector<coverage::ComputeCapability> devices;
  std::vector<int> numbers;
  for (std::size_t index = 0; index < settings.devices.size(); ++index) {
    const auto device = settings.devices[index];
    const auto* gpu = coverage::table().find_architecture(device.number());
    if (settings.driver && gpu != nullptr &&
        coverage::fit_of(*settings.driver, *gpu) != coverage::DriverFit::fits) {
      continue;
    }
    devices.push_back(device);
    numbers.push_back(settings.numbers[index]);
  }
  settings.devices = devices;
  settings.numbers = numbers;
}

Settings settings_of_environment() {
  try {
    auto settings = read_settings(environment, {CUDART_VERSION, find_error, can_fail});
    hide_unknown_devices(settings);
    return settings;
  } catch (const BadVariable& error) {
    stop(error.what());
  }
}

bool is_driver_too_old(const Settings& settings) {
  if (!settings.driver) return true;
  const auto* toolkit = coverage::table().find_toolkit({kCudaMajor, kCudaMinor});
  if (toolkit != nullptr) return coverage::is_too_old(*settings.driver, *toolkit);
  return settings.driver_version / 1000 < kCudaMajor;
}

/// Reads the environment at the first call that depends on it.
void know_settings() {
  auto& state = machine();
  if (state.settings_known) return;
  state.settings = settings_of_environment();
  state.settings_known = true;
}

}  // namespace

cudaError_t lacking_of(const Settings& settings) {
  if (is_driver_too_old(settings)) return cudaErrorInsufficientDriver;
  return settings.devices.empty() ? cudaErrorNoDevice : cudaSuccess;
}

bool loads_eagerly(const Settings& settings) {
  if (settings.loading != Loading::by_version) return settings.loading == Loading::eager;
  return settings.driver_version < kLazyFrom || CUDART_VERSION < 11070;
}

namespace {

// Refuses nothing here: an impossible kernel is an error of its launch.
void create_context(Machine& machine) {
  machine.context = true;
  return_at(Clock::now() + latency_of(kStart));
  if (!loads_eagerly(machine.settings)) return;
  for (const auto& module : machine.modules) module->read(machine.settings.jit_forced);
}

bool is_now(const Subject& subject, std::uint64_t occurrence) {
  return subject.occurrence == 0 || subject.occurrence == occurrence;
}

bool is_of_launch(const Subject& subject, const Function& function) {
  return subject.function.empty() && names_kernel(subject.kernel, function.name) &&
         is_now(subject, function.launches);
}

Clock::time_point& end_of_call() {
  thread_local Clock::time_point end;
  return end;
}

/// Sleeps, and spins at the end: the system wakes a thread about 50 us late.
void wait_until(Clock::time_point time) {
  constexpr std::chrono::microseconds kSpun(200);
  if (time - Clock::now() > kSpun) std::this_thread::sleep_until(time - kSpun);
  while (Clock::now() < time) {
  }
}

int& last_error() {
  thread_local int error = 0;
  return error;
}

}  // namespace

const coverage::ComputeCapability* Machine::find(int device) const {
  if (device < 0 || device >= static_cast<int>(settings.devices.size())) return nullptr;
  return &settings.devices[static_cast<std::size_t>(device)];
}

// Never destroyed: programs unregister and free at their very end.
Machine& machine() {
  static auto* instance = new Machine;
  return *instance;
}

int& current_device() {
  thread_local int device = 0;
  return device;
}

coverage::ComputeCapability current_capability() {
  return *machine().find(current_device());
}

bool is_sticky(int error) {
  constexpr std::array<int, 13> kSticky = {226, 700, 702, 710, 714, 715, 716,
                                           717, 718, 719, 721, 810, 911};
  return std::find(kSticky.begin(), kSticky.end(), error) != kSticky.end();
}

cudaError_t record(cudaError_t error) {
  // cudaErrorNotReady is not a failure: cudaStreamQuery and cudaEventQuery return it while work
  // runs.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

// Forgets what made a context unusable, too: the next call that uses the context returns it again.
// The lack of a driver or of a GPU is never forgotten.
cudaError_t take_last_error(bool forget) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  know_settings();
  const auto lacking = lacking_of(machine().settings);
  if (lacking != cudaSuccess) return lacking;
  const int error = last_error();
  if (forget) last_error() = 0;
  return static_cast<cudaError_t>(error);
}

void return_at(Clock::time_point time) {
  end_of_call() = std::max(end_of_call(), time);
}

int failure_of_launch(Function& function) {
  ++function.launches;
  for (const auto& failure : machine().settings.failures) {
    if (is_of_launch(failure.subject, function)) return failure.error;
  }
  return 0;
}

std::chrono::nanoseconds latency_of_launch(const Function& function) {
  for (const auto& latency : machine().settings.latencies) {
    if (is_of_launch(latency.subject, function)) return latency.time;
  }
  return {};
}

int failure_of(const std::string& function) {
  const auto occurrence = machine().calls[function];
  for (const auto& failure : machine().settings.failures) {
    const auto& subject = failure.subject;
    if (subject.function == function && is_now(subject, occurrence)) return failure.error;
  }
  return 0;
}

std::chrono::nanoseconds latency_of(const std::string& function) {
  const auto occurrence = machine().calls[function];
  for (const auto& latency : machine().settings.latencies) {
    const auto& subject = latency.subject;
    if (subject.function == function && is_now(subject, occurrence)) return latency.time;
  }
  return {};
}

cudaError_t finish_kernels() {
  auto& state = machine();
  if (state.running != 0) state.unusable = state.running;
  state.running = 0;
  return static_cast<cudaError_t>(state.unusable);
}

int answer_unsupported(const char* function) {
  return answer(function, Needs::nothing, [] { return cudaErrorNotSupported; });
}

Call::Call(const char* name, Needs needs) {
  auto& state = machine();
  state.mutex.lock();
  know_settings();
  ++state.calls[name];
  const auto now = Clock::now();
  const auto latency = latency_of(name);
  if (latency.count() != 0) {
    // Unlocks so that other threads can go on.
    state.mutex.unlock();
    wait_until(now + latency);
    state.mutex.lock();
  }
  error_ = readiness(name, needs);
}

Call::~Call() {
  const auto end = end_of_call();
  end_of_call() = {};
  machine().mutex.unlock();
  wait_until(end);
}

cudaError_t Call::readiness(const char* name, Needs needs) const {
  auto& state = machine();
  if (const int failure = failure_of(name)) {
    if (is_sticky(failure)) state.unusable = failure;
    return static_cast<cudaError_t>(failure);
  }
  if (needs == Needs::nothing) return cudaSuccess;
  if (const int failure = failure_of(kStart)) return static_cast<cudaError_t>(failure);
  const auto lacking = lacking_of(state.settings);
  if (lacking != cudaSuccess) return lacking;
  if (needs == Needs::devices) return cudaSuccess;
  if (!state.context) create_context(state);
  return static_cast<cudaError_t>(state.unusable);
}

}  // namespace archgrid::fake_cudart
