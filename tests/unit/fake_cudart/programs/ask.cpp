// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// ask QUESTION...
//
// Queries the CUDA runtime. Prints one line per question: the error and the result.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "kernels.hpp"

const void* factors_symbol();

namespace {

/// A question such as "launch:sass_75,32,0": what to query, and its arguments.
struct Question {
  std::string verb;
  std::vector<std::string> arguments;

  [[nodiscard]] std::string text(std::size_t index) const {
    return index < arguments.size() ? arguments[index] : std::string();
  }
  [[nodiscard]] long number(std::size_t index, long otherwise) const {
    const auto argument = text(index);
    return argument.empty() ? otherwise : std::atol(argument.c_str());
  }
};

Question parse(const std::string& text) {
  Question question;
  const auto colon = text.find(':');
  question.verb = text.substr(0, colon);
  if (colon == std::string::npos) return question;
  std::istringstream rest(text.substr(colon + 1));
  for (std::string argument; std::getline(rest, argument, ',');) {
    question.arguments.push_back(argument);
  }
  return question;
}

const KnownKernel& kernel_of(const Question& question) {
  const auto found = known_kernels().find(question.text(0));
  if (found == known_kernels().end()) {
    std::fprintf(stderr, "ask: no kernel %s\n", question.text(0).c_str());
    std::exit(2);
  }
  return found->second;
}

/// Returns memory for `heavy`, which uses the most: 160 floats of each of 1024 threads. The fake
/// runtime executes no kernel, and counts calls of cudaMalloc.
float* values() {
  static float* const memory = [] {
    float* allocated = nullptr;
    if (dlsym(RTLD_DEFAULT, "archgrid_fake_runtime") == nullptr) {
      cudaMalloc(&allocated, 1024 * 160 * sizeof(float));
      cudaGetLastError();
    }
    return allocated;
  }();
  return memory;
}

dim3 block_of(const Question& question) {
  return dim3(static_cast<unsigned>(question.number(1, 32)));
}

std::size_t shared_of(const Question& question) {
  return static_cast<std::size_t>(question.number(2, 0));
}

using Answer = std::string;

Answer say(int error) {
  return std::to_string(error);
}

template <typename... Rest>
Answer say(int error, const Rest&... rest) {
  std::ostringstream stream;
  stream << error;
  if (error == 0) ((stream << ' ' << rest), ...);
  return stream.str();
}

Answer launch(const Question& question) {
  kernel_of(question).launch(dim3(1), block_of(question), shared_of(question), values());
  return say(cudaGetLastError());
}

/// Launches the kernel with a null pointer, which it dereferences.
Answer fault(const Question& question) {
  kernel_of(question).launch(dim3(1), block_of(question), 0, nullptr);
  return say(cudaGetLastError());
}

Answer launch_by_pointer(const Question& question) {
  auto* memory = values();
  void* arguments[] = {&memory};
  return say(cudaLaunchKernel(kernel_of(question).function, dim3(1), block_of(question), arguments,
                              shared_of(question), nullptr));
}

Answer launch_with_config(const Question& question) {
  auto* memory = values();
  void* arguments[] = {&memory};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = block_of(question);
  config.dynamicSmemBytes = shared_of(question);
  return say(cudaLaunchKernelExC(&config, kernel_of(question).function, arguments));
}

Answer launch_together(const Question& question) {
  auto* memory = values();
  void* arguments[] = {&memory};
  const auto blocks = static_cast<unsigned>(question.number(3, 1));
  return say(cudaLaunchCooperativeKernel(kernel_of(question).function, dim3(blocks),
                                         block_of(question), arguments, shared_of(question),
                                         nullptr));
}

Answer launch_nothing(const Question&) {
  static const int no_kernel = 0;
  return say(cudaLaunchKernel(&no_kernel, dim3(1), dim3(1), nullptr, 0, nullptr));
}

Answer kernel_handle(const Question& question) {
#if CUDART_VERSION >= 12000
  cudaKernel_t kernel = nullptr;
  const auto error = cudaGetKernel(&kernel, kernel_of(question).function);
  if (error != cudaSuccess) return say(error);
  auto* memory = values();
  void* arguments[] = {&memory};
  return say(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(32), arguments,
                              0, nullptr));
#else
  return launch_by_pointer(question);
#endif
}

Answer attributes(const Question& question) {
  cudaFuncAttributes found{};
  const auto error = cudaFuncGetAttributes(&found, kernel_of(question).function);
  return say(error, found.binaryVersion, found.ptxVersion, found.numRegs, found.sharedSizeBytes,
             found.localSizeBytes, found.constSizeBytes, found.maxThreadsPerBlock,
             found.maxDynamicSharedSizeBytes);
}

Answer allow_shared(const Question& question) {
  return say(cudaFuncSetAttribute(kernel_of(question).function,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(question.number(1, 0))));
}

Answer occupancy(const Question& question) {
  int blocks = -1;
  const auto error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel_of(question).function, static_cast<int>(question.number(1, 32)),
      shared_of(question));
  return say(error, blocks);
}

Answer count(const Question&) {
  int devices = -1;
  const auto error = cudaGetDeviceCount(&devices);
  return std::to_string(error) + " " + std::to_string(devices);
}

Answer device(const Question& question) {
  return say(cudaSetDevice(static_cast<int>(question.number(0, 0))));
}

Answer properties(const Question& question) {
  cudaDeviceProp found{};
  const auto error = cudaGetDeviceProperties(&found, static_cast<int>(question.number(0, 0)));
  return say(error, std::string(found.name), found.major, found.minor,
             found.sharedMemPerBlockOptin);
}

Answer versions(const Question&) {
  int driver = -1;
  int runtime = -1;
  const auto error = cudaDriverGetVersion(&driver);
  const auto other = cudaRuntimeGetVersion(&runtime);
  std::ostringstream stream;
  stream << error << ' ' << driver << ' ' << other << ' ' << runtime;
  return stream.str();
}

Answer allocate(const Question& question) {
  void* memory = nullptr;
  const auto error = cudaMalloc(&memory, static_cast<std::size_t>(question.number(0, 64)));
  if (error == cudaSuccess) cudaFree(memory);
  return say(error);
}

Answer free_foreign(const Question&) {
  static int mine = 0;
  return say(cudaFree(&mine));
}

Answer copy_through_symbol(const Question&) {
  const float sent[2] = {3, 4};
  float received[2] = {0, 0};
  const auto to =
      cudaMemcpyToSymbol(factors_symbol(), sent, sizeof sent, 8, cudaMemcpyHostToDevice);
  if (to != cudaSuccess) return say(to);
  const auto from =
      cudaMemcpyFromSymbol(received, factors_symbol(), sizeof received, 8, cudaMemcpyDeviceToHost);
  std::size_t size = 0;
  cudaGetSymbolSize(&size, factors_symbol());
  return say(from, received[0], received[1], size);
}

Answer copy_through_memory(const Question&) {
  const float sent[2] = {5, 6};
  float received[2] = {0, 0};
  void* memory = nullptr;
  const auto error = cudaMalloc(&memory, sizeof sent);
  if (error != cudaSuccess) return say(error);
  cudaMemcpy(memory, sent, sizeof sent, cudaMemcpyHostToDevice);
  const auto from = cudaMemcpy(received, memory, sizeof received, cudaMemcpyDeviceToHost);
  cudaPointerAttributes found{};
  cudaPointerGetAttributes(&found, memory);
  cudaFree(memory);
  return say(from, received[0], received[1], static_cast<int>(found.type));
}

/// Returns the milliseconds between two events with the given number of launches between them.
Answer elapsed(const Question& question) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (long index = 0; index < question.number(1, 1); ++index) {
    kernel_of(question).launch(dim3(1), dim3(32), 0, values());
  }
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = -1;
  const auto error = cudaEventElapsedTime(&milliseconds, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return say(error, milliseconds);
}

/// Reports whether a launch is complete right after it, according to an event and to its stream.
Answer done(const Question& question) {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  kernel_of(question).launch(dim3(1), dim3(32), 0, values());
  cudaEventRecord(event);
  const auto by_event = cudaEventQuery(event);
  const auto by_stream = cudaStreamQuery(nullptr);
  return say(cudaGetLastError(), static_cast<int>(by_event), static_cast<int>(by_stream));
}

Answer name_of_kernel(const Question& question) {
#if CUDART_VERSION >= 12030
  const char* name = "";
  const auto error = cudaFuncGetName(&name, kernel_of(question).function);
  return say(error, name);
#else
  return "0 " + question.text(0);
#endif
}

Answer host_time_of_malloc(const Question&) {
  const auto begin = std::chrono::steady_clock::now();
  void* memory = nullptr;
  const auto error = cudaMalloc(&memory, 16);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return say(error, time.count());
}

/// Returns the milliseconds of the first launch of a kernel.
Answer host_time_of_launch(const Question& question) {
  const auto begin = std::chrono::steady_clock::now();
  const auto error = launch(question);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return error + " " + std::to_string(time.count());
}

/// Calls a function that no header of this program declares.
Answer call(const Question& question) {
  using Function = int (*)(void*, void*, void*, void*, void*, void*);
  auto* function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, question.text(0).c_str()));
  if (function == nullptr) return "absent";
  return say(function(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
}

Answer marker(const Question&) {
  using Function = const char* (*)();
  auto* function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "archgrid_fake_runtime"));
  return function == nullptr ? "absent" : function();
}

Answer error_name(const Question& question) {
  const auto error = static_cast<cudaError_t>(question.number(0, 0));
  return std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
}

Answer last_error_of_another_thread(const Question&) {
  int error = -1;
  std::thread([&] { error = cudaGetLastError(); }).join();
  return say(error);
}

/// Returns how many launches of eight threads succeeded.
Answer launch_from_threads(const Question& question) {
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      for (long index = 0; index < question.number(1, 1); ++index) {
        const auto error = launch_by_pointer(question);
        const auto left = cudaGetLastError();
        if (error == "0" && left == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess) ++good;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return say(0, good.load());
}

struct Verb {
  const char* name;
  Answer (*ask)(const Question&);
};

constexpr Verb kVerbs[] = {
    {"launch", launch},
    {"fault", fault},
    {"launch-pointer", launch_by_pointer},
    {"launch-config", launch_with_config},
    {"launch-together", launch_together},
    {"launch-nothing", launch_nothing},
    {"launch-handle", kernel_handle},
    {"attributes", attributes},
    {"allow", allow_shared},
    {"occupancy", occupancy},
    {"count", count},
    {"device", device},
    {"properties", properties},
    {"versions", versions},
    {"malloc", allocate},
    {"free-foreign", free_foreign},
    {"symbol", copy_through_symbol},
    {"memory", copy_through_memory},
    {"elapsed", elapsed},
    {"done", done},
    {"name", name_of_kernel},
    {"malloc-time", host_time_of_malloc},
    {"launch-time", host_time_of_launch},
    {"call", call},
    {"marker", marker},
    {"error", error_name},
    {"threads", launch_from_threads},
    {"sync", [](const Question&) { return say(cudaDeviceSynchronize()); }},
    {"reset", [](const Question&) { return say(cudaDeviceReset()); }},
    {"last", [](const Question&) { return say(cudaGetLastError()); }},
    {"peek", [](const Question&) { return say(cudaPeekAtLastError()); }},
    {"last-elsewhere", last_error_of_another_thread},
    {"toolkit", [](const Question&) { return say(CUDART_VERSION); }},
};

Answer ask_each_kernel(const Question& question) {
  std::string answer;
  for (const auto& [name, kernel] : known_kernels()) {
    answer += (answer.empty() ? "" : " ") + name + "=" + launch({question.verb, {name}});
  }
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    const auto question = parse(argv[index]);
    if (question.verb == "launches") {
      std::printf("%s\n", ask_each_kernel(question).c_str());
      continue;
    }
    bool asked = false;
    for (const auto& verb : kVerbs) {
      if (question.verb != verb.name) continue;
      std::printf("%s\n", verb.ask(question).c_str());
      asked = true;
    }
    if (!asked) {
      std::fprintf(stderr, "ask: no question '%s'\n", argv[index]);
      return 2;
    }
  }
  return 0;
}
