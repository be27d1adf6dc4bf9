// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that nvcc's output calls before main(); no public header declares them. They read
// neither fat binaries nor variables, so a program that only lists its tests pays nothing.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "machine.hpp"

using namespace archgrid::fake_cudart;

namespace {

/// The argument of a registration (fatbinary_section.h).
struct Wrapper {
  std::int32_t magic;
  std::int32_t version;
  const void* container;
  const void* const* parts;  ///< version 2, for a device link: its objects' fat binaries, then null
};

constexpr std::int32_t kMagic = 0x466243b1;
constexpr std::int32_t kLinked = 2;

// A handle is the address of a pointer that older programs dereference, followed by the module's
// number.
struct Handle {
  void* container;
  std::size_t module;
};

std::size_t module_of(void** handle) {
  return reinterpret_cast<Handle*>(handle)->module;
}

/// The launch configuration of one thread, which the functions behind <<<>>> set.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* data) {
  const auto& wrapper = *static_cast<const Wrapper*>(data);
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  auto& modules = machine().modules;
  std::vector<const void*> parts;
  const bool linked = wrapper.version == kLinked;
  if (linked && wrapper.parts != nullptr) {
    for (const auto* part = wrapper.parts; *part != nullptr; ++part) parts.push_back(*part);
  }
  auto* handle = new Handle{const_cast<void*>(wrapper.container), modules.size()};
  const bool known = wrapper.magic == kMagic && wrapper.container != nullptr;
  modules.push_back(
      std::make_unique<Module>(known ? wrapper.container : nullptr, std::move(parts), linked));
  return reinterpret_cast<void**>(handle);
}

void __cudaRegisterFatBinaryEnd(void**) {}

// Removes all pointers of the module: a shared object may be unloaded, and they would dangle.
void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  auto& state = machine();
  const auto module = module_of(handle);
  for (auto at = state.by_pointer.begin(); at != state.by_pointer.end();) {
    auto& modules = at->second->modules;
    const auto removed = std::remove(modules.begin(), modules.end(), module);
    if (removed != modules.end()) at->second->loaded.clear();
    modules.erase(removed, modules.end());
    at = modules.empty() ? state.by_pointer.erase(at) : std::next(at);
  }
  for (auto at = state.variables.begin(); at != state.variables.end();) {
    at = at->second.module == module ? state.variables.erase(at) : std::next(at);
  }
  state.functions.remove_if([](const Function& function) { return function.modules.empty(); });
  state.modules[module] = std::make_unique<Module>(nullptr, std::vector<const void*>(), false);
  delete reinterpret_cast<Handle*>(handle);
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  auto& state = machine();
  auto& known = state.by_pointer[host];
  if (known == nullptr || known->name != name) {
    known = &state.functions.emplace_back();
    known->name = name;
  }
  known->modules.push_back(module_of(handle));
}

void __cudaRegisterVar(void** handle, char* host, char*, const char*, int, size_t size,
                       int constant, int) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  Variable variable;
  variable.module = module_of(handle);
  variable.constant = constant != 0;
  variable.memory.resize(size);
  machine().variables[host] = std::move(variable);
}

// The program reads a managed variable through this pointer, which is in the program's memory.
void __cudaRegisterManagedVar(void** handle, void** host, char*, const char*, int, size_t size,
                              int constant, int) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  Variable variable;
  variable.module = module_of(handle);
  variable.constant = constant != 0;
  variable.memory.resize(size);
  auto& kept = machine().variables[host];
  kept = std::move(variable);
  *host = kept.memory.data();
}

void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

char __cudaInitModule(void**) {
  return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  configurations().push_back({grid, block, shared, static_cast<cudaStream_t>(stream)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  auto& stack = configurations();
  if (stack.empty()) return cudaErrorMissingConfiguration;
  *grid = stack.back().grid;
  *block = stack.back().block;
  *shared = stack.back().shared;
  *static_cast<cudaStream_t*>(stream) = stack.back().stream;
  stack.pop_back();
  return cudaSuccess;
}

}  // extern "C"
