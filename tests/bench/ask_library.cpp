// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// ask_library LIBRARY...: loads shared libraries that use the shared CUDA runtime, and asks that
// runtime about each kernel that they register. Prints one line per kernel: the library's number,
// the number of the fat binary, the error, the version of its machine code, the version of its
// PTX, and its mangled name.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

struct Registered {
  const void* function;
  void** module;
  std::string name;
  int library;
};

std::vector<Registered>& registered() {
  static std::vector<Registered> kernels;
  return kernels;
}

int current_library = 0;

template <class Function>
Function* of_runtime(const char* name) {
  auto* const found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return reinterpret_cast<Function*>(found);
  std::fprintf(stderr, "ask_library: no CUDA runtime is loaded: %s\n", dlerror());
  std::exit(2);
}

}  // namespace

// Called by the static objects of each library instead of the runtime's function.
extern "C" void __cudaRegisterFunction(void** module, const char* host, char* device,
                                       const char* name, int threads, uint3* thread, uint3* block,
                                       dim3* block_dimensions, dim3* grid_dimensions, int* size) {
  registered().push_back({host, module, name, current_library});
  of_runtime<decltype(__cudaRegisterFunction)>("__cudaRegisterFunction")(
      module, host, device, name, threads, thread, block, block_dimensions, grid_dimensions, size);
}

int main(int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    current_library = index - 1;
    if (dlopen(argv[index], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::fprintf(stderr, "ask_library: %s\n", dlerror());
      return 2;
    }
  }
  std::map<void**, int> modules;
  for (const auto& kernel : registered()) {
    const int module =
        modules.emplace(kernel.module, static_cast<int>(modules.size())).first->second;
    cudaFuncAttributes found{};
    const auto error = cudaFuncGetAttributes(&found, kernel.function);
    static_cast<void>(cudaGetLastError());
    std::printf("%d %d %d %d %d %s\n", kernel.library, module, static_cast<int>(error),
                error == cudaSuccess ? found.binaryVersion : -1,
                error == cudaSuccess ? found.ptxVersion : -1, kernel.name.c_str());
  }
  return 0;
}
