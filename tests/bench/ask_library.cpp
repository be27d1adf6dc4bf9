// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// ask_library LIBRARY...: loads shared libraries that use the shared CUDA runtime, and asks that
// runtime about each kernel that they register. Prints one line per kernel: the file that registers
// it, a tab, the error, the version of its machine code, and its mangled name.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Registered {
  const void* function;
  std::string name;
  std::string file;
};

std::vector<Registered>& registered() {
  static std::vector<Registered> kernels;
  return kernels;
}

template <class Function>
Function* of_runtime(const char* name) {
  auto* const found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return reinterpret_cast<Function*>(found);
  std::fprintf(stderr, "ask_library: no CUDA runtime is loaded: %s\n", dlerror());
  std::exit(2);
}

/// Returns the file that contains an object.
std::string file_of(const void* address) {
  Dl_info found{};
  return dladdr(address, &found) != 0 ? found.dli_fname : "";
}

}  // namespace

// Called by the static objects of each library instead of the runtime's function. The name lies in
// the library that registers the kernel; the host's function may be that of another library with
// the same template.
extern "C" void __cudaRegisterFunction(void** module, const char* host, char* device,
                                       const char* name, int threads, uint3* thread, uint3* block,
                                       dim3* block_dimensions, dim3* grid_dimensions, int* size) {
  registered().push_back({host, name, file_of(name)});
  of_runtime<decltype(__cudaRegisterFunction)>("__cudaRegisterFunction")(
      module, host, device, name, threads, thread, block, block_dimensions, grid_dimensions, size);
}

int main(int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    if (dlopen(argv[index], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::fprintf(stderr, "ask_library: %s\n", dlerror());
      return 2;
    }
  }
  for (const auto& kernel : registered()) {
    cudaFuncAttributes found{};
    const auto error = cudaFuncGetAttributes(&found, kernel.function);
    static_cast<void>(cudaGetLastError());
    std::printf("%s\t%d %d %s\n", kernel.file.c_str(), static_cast<int>(error),
                error == cudaSuccess ? found.binaryVersion : -1, kernel.name.c_str());
  }
  return 0;
}
