// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Libraries that are loaded at run time, so that builds do not need them.
#ifndef ARCHGRID_TESTS_GPU_LIBRARY_HPP
#define ARCHGRID_TESTS_GPU_LIBRARY_HPP

#include <dlfcn.h>

#include <archgrid/cuda/error.hpp>
#include <memory>
#include <stdexcept>
#include <string>

namespace archgrid {

/// A shared library, and its functions by name.
class Library {
 public:
  /// Throws std::runtime_error if there is no library with that name.
  explicit Library(const std::string& name)
      : name_(name), library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(name + " was not found");
  }

  bool has(const char* name) const { return dlsym(library_, name) != nullptr; }

  /// Throws std::runtime_error if the library has no function with that name.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (function == nullptr) throw std::runtime_error(name_ + " has no " + name);
  }

 private:
  std::string name_;
  void* library_;  // never closed: its handles may be destroyed in any order
};

inline void throw_on_status(const char* function, int status) {
  if (status != 0)
    throw std::runtime_error(std::string(function) + " returned " + std::to_string(status));
}

/// Returns the newest usable version of a library, or null with `reason`.
template <class Used, class Interface>
std::unique_ptr<Interface> newest(std::string* reason) {
  for (const char* version : {".13", ".12", ".11", ""}) {
    try {
      return std::make_unique<Used>(std::string(Used::file_name()) + version);
    } catch (const CudaError&) {
      throw;
    } catch (const std::runtime_error& error) {
      *reason += (reason->empty() ? "" : "; ") + std::string(error.what());
    }
  }
  return nullptr;
}

}  // namespace archgrid

#endif
