// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The pretended machine: its GPUs, the errors it is in, how long its calls take, and what programs
// have registered.
#ifndef ARCHGRID_PRETEND_MACHINE_HPP
#define ARCHGRID_PRETEND_MACHINE_HPP

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

namespace archgrid::pretend {

using Clock = std::chrono::steady_clock;

/// What a call needs before it can do anything.
enum class Needs {
  nothing,  ///< works without a driver
  devices,  ///< looks at the GPUs
  context   ///< uses one, so that it fails after an error that leaves the context unusable
};

/// A kernel that a program has registered. Its address is what cudaGetKernel gives.
struct Function {
  std::size_t module = 0;          ///< index into Machine::modules
  std::string name;                ///< mangled
  std::size_t dynamic_shared = 0;  ///< what cudaFuncSetAttribute allows; 0: what every kernel may
  std::uint64_t launches = 0;
  std::map<int, Loaded> loaded;  ///< by number of the device's arch
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
  std::map<const void*, Function*> by_pointer;  ///< of the host's stub
  std::map<const void*, Variable> variables;
  /// Modules whose PTX was compiled, for the arch of which number, and with which error.
  std::map<std::pair<std::size_t, int>, int> compiled;
  bool settings_known = false;
  bool context = false;
  int unusable = 0;  ///< the error that every use of the context gives from now on
  int running = 0;   ///< such an error of a kernel that was launched, not seen yet
  std::map<std::string, std::uint64_t> calls;  ///< by function
  std::recursive_mutex mutex;

  [[nodiscard]] const coverage::Device* find(int device) const;
};

/// The one machine. Does not read the environment: programs are registered, and tests listed,
/// before anything is asked.
Machine& machine();

/// The GPU that this thread uses.
int& current_device();
coverage::Device current_capability();

/// Keeps an error for cudaGetLastError, as every call does.
cudaError_t record(cudaError_t error);
cudaError_t take_last_error(bool forget);

/// Whether an error leaves the context unusable: of which driver_types.h says "the process must be
/// terminated and relaunched".
bool is_sticky(int error);

/// The call that runs returns only then.
void return_at(Clock::time_point time);

/// What a failure variable says of this launch; 0: nothing.
int failure_of_launch(Function& function);
std::chrono::nanoseconds latency_of_launch(const Function& function);

/// What the variables say of this call, or event, of those that were counted in Machine::calls.
int failure_of(const std::string& function);
std::chrono::nanoseconds latency_of(const std::string& function);

/// The error of a kernel that has run wild, for a call that waits for kernels.
cudaError_t finish_kernels();

/// The parts of answer() that are not its body.
class Call {
 public:
  /// Takes the time that the call takes, and the machine's lock.
  Call(const char* name, Needs needs);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  /// Gives the lock back, and waits as return_at() said.
  ~Call();

  [[nodiscard]] cudaError_t error() const { return error_; }

 private:
  [[nodiscard]] cudaError_t readiness(const char* name, Needs needs) const;

  cudaError_t error_ = cudaSuccess;
};

/// A call of the runtime's API: injected failures and the machine's state first, then the body.
template <typename Body>
cudaError_t answer(const char* name, Needs needs, Body body) {
  const Call call(name, needs);
  return record(call.error() != cudaSuccess ? call.error() : body());
}

}  // namespace archgrid::pretend

#endif
