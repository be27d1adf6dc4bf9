// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The fake machine: its GPUs, its errors, the latencies of its calls, and the modules and
// kernels that programs have registered.
#ifndef ARCHGRID_FAKE_MACHINE_HPP
#define ARCHGRID_FAKE_MACHINE_HPP

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "settings.hpp"

namespace archgrid::fake_cudart {

using Clock = std::chrono::steady_clock;

/// The condition that a call needs before it does anything.
enum class Needs {
  nothing,  ///< works without a driver
  devices,  ///< queries the GPUs
  context   ///< uses a context, so it fails after an error that breaks the context
};

/// A kernel that a program has registered. Its address is the handle that cudaGetKernel returns.
struct Function {
  /// Indices into Machine::modules. Those with a template's kernel register the same stub before
  /// CUDA 13, and the kernel has the code of any.
  std::vector<std::size_t> modules;
  std::string name;                ///< mangled
  std::size_t dynamic_shared = 0;  ///< limit set by cudaFuncSetAttribute; 0: the default
  std::uint64_t launches = 0;
  std::map<int, Loaded> loaded;  ///< by arch number of the device
};

/// A variable of device memory that a program has registered.
struct Variable {
  std::size_t module = 0;
  bool constant = false;
  std::vector<unsigned char> memory;
};

struct Machine {
  Settings settings;
  std::vector<std::unique_ptr<Module>> modules;
  std::list<Function> functions;
  std::map<const void*, Function*> by_pointer;  ///< by address of the host's stub
  std::map<const void*, Variable> variables;
  /// Errors of compiling PTX, by module and arch number.
  std::map<std::pair<std::size_t, int>, int> compiled;
  bool settings_known = false;
  bool context = false;
  int unusable = 0;  ///< error that every use of the context returns from now on
  int running = 0;   ///< such an error of a launched kernel, not yet reported
  std::map<std::string, std::uint64_t> calls;  ///< number of calls by function
  std::recursive_mutex mutex;

  [[nodiscard]] const coverage::ComputeCapability* find(int device) const;
};

/// Returns the only machine. Does not read the environment: programs register kernels, and list
/// their tests, before they make any call.
Machine& machine();

/// Returns the GPU that this thread uses.
int& current_device();
coverage::ComputeCapability current_capability();

/// Stores an error for cudaGetLastError, as every call does.
cudaError_t record(cudaError_t error);
cudaError_t take_last_error(bool forget);

/// Returns the error of every call that needs a GPU if there is none, or no driver for it.
cudaError_t lacking_of(const Settings& settings);

/// Reports whether all modules are loaded when the context is created.
bool loads_eagerly(const Settings& settings);

/// Reports whether an error makes the context unusable: driver_types.h says that "the process must
/// be terminated and relaunched".
bool is_sticky(int error);

/// Delays the return of the current call until `time`.
void return_at(Clock::time_point time);

/// Returns the error that a failure variable sets for this launch; 0: none.
int failure_of_launch(Function& function);
std::chrono::nanoseconds latency_of_launch(const Function& function);

/// Returns the error and the latency that the variables set for the current call or event, whose
/// number is in Machine::calls.
int failure_of(const std::string& function);
std::chrono::nanoseconds latency_of(const std::string& function);

/// Returns the error of a faulting kernel, for a call that waits for kernels.
cudaError_t finish_kernels();

/// The prologue and epilogue of answer().
class Call {
 public:
  /// Waits for the latency of the call, and acquires the machine's lock.
  Call(const char* name, Needs needs);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  /// Releases the lock, and waits until the time of return_at().
  ~Call();

  [[nodiscard]] cudaError_t error() const { return error_; }

 private:
  [[nodiscard]] cudaError_t readiness(const char* name, Needs needs) const;

  cudaError_t error_ = cudaSuccess;
};

/// Answers a call of the runtime's API: injected failures and the machine's state first, then the
/// body.
template <typename Body>
cudaError_t answer(const char* name, Needs needs, Body body) {
  const Call call(name, needs);
  return record(call.error() != cudaSuccess ? call.error() : body());
}

}  // namespace archgrid::fake_cudart

#endif
