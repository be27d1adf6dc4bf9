// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/gemm.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gemm/variant.h"
#include "gemm/workspace.h"

namespace archgrid::gemm {
namespace {

constexpr long long max_grid = 2147483647;
constexpr int max_splits = 1024;

// --- the table -----------------------------------------------------------------------------------

// The build defines ARCHGRID_GEMM_HAS_<source> as 0 or 1 for each source.
#define ROW_1(function) function
#define ROW_0(function) nullptr
#define ROW(has, function) ROW_##has(function)
#define ROW_IF(has, function) ROW(has, function)
#define VARIANT(source, name, input, is_tf32, tile_m, tile_n, tile_k, stages, threads, registers, \
                first_device, first_toolkit, instruction)                                         \
  Variant{#name,                                                                                  \
          #source,                                                                                \
          Type::input,                                                                            \
          is_tf32,                                                                                \
          tile_m,                                                                                 \
          tile_n,                                                                                 \
          tile_k,                                                                                 \
          stages,                                                                                 \
          threads,                                                                                \
          registers,                                                                              \
          first_device,                                                                           \
          first_toolkit,                                                                          \
          instruction,                                                                            \
          ROW_IF(ARCHGRID_GEMM_HAS_##source, name),                                               \
          ROW_IF(ARCHGRID_GEMM_HAS_##source, name##_is_loadable)},
const std::vector<Variant> table = {
#include "gemm/variants.inc"
};
#undef VARIANT
#undef ROW_IF
#undef ROW
#undef ROW_0
#undef ROW_1

// --- choosing ------------------------------------------------------------------------------------

long long tiles_of(const Problem& p, const Variant& variant) {
  const long long across = (p.m + variant.tile_m - 1ll) / variant.tile_m;
  const long long along = (p.n + variant.tile_n - 1ll) / variant.tile_n;
  return across * along * p.batches;
}

std::size_t bytes_of_partials(const Problem& p) {
  const std::size_t bytes = p.input == Type::f64 ? 8 : 4;
  return bytes * static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n) *
         static_cast<std::size_t>(p.batches);
}

// Returns how many parts of K keep the multiprocessors busy. A part has at least eight k-tiles:
// fewer do not pay for the additional reduction.
int useful_splits(const Problem& p, const Variant& variant, int multiprocessors) {
  constexpr int min_k_tiles = 8;
  const int k = reads_operands(p) ? p.k : 0;
  const long long k_tiles = (k + variant.tile_k - 1ll) / variant.tile_k;
  const long long busy = tiles_of(p, variant);
  if (busy == 0) return 1;
  return static_cast<int>(std::max(1ll, std::min(multiprocessors / busy, k_tiles / min_k_tiles)));
}

int allowed_splits(const Problem& p, std::size_t workspace_bytes) {
  const std::size_t bytes = bytes_of_partials(p);
  if (bytes == 0) return 1;
  return static_cast<int>(
      std::max<std::size_t>(1, std::min<std::size_t>(workspace_bytes / bytes, max_splits)));
}

std::string validate_splits(const Problem& p, int splits, const void* workspace,
                            std::size_t workspace_bytes) {
  if (splits == 1) return "";
  const std::string parts = "K in " + std::to_string(splits) + " parts";
  if (splits > max_splits)
    return parts + ", and at most " + std::to_string(max_splits) + " are taken";
  // The size is less than 2^62, because validate_extents() limits the elements of C.
  const std::string reason = validate_workspace(
      workspace, workspace_bytes, bytes_of_partials(p) * static_cast<std::size_t>(splits));
  return reason.empty() ? "" : reason + ", for " + parts;
}

std::string device_name(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

bool computes(const Variant& variant, const Problem& p) {
  return variant.input == p.input && (!variant.is_tf32 || p.allow_tf32);
}

bool is_runnable(const Variant& variant, const Device& device, bool (*has)(const Variant&)) {
  return device.capability >= variant.first_device && variant.launch != nullptr && has(variant);
}

// Returns the obstacle that keeps a variant from running, or an empty string.
std::string obstacle(const Variant& variant, const Device& device, bool (*has)(const Variant&)) {
  if (device.capability < variant.first_device) {
    return "needs a device from " + device_name(variant.first_device) + " on, this is " +
           device_name(device.capability);
  }
  if (variant.launch == nullptr) {
    return std::string("is not in this build: it needs CUDA ") + variant.first_toolkit +
           ", an architecture from " + device_name(variant.first_device) +
           " on, and its unit where ARCHGRID_KERNEL_UNITS names any";
  }
  if (!has(variant))
    return "this binary has no image of it for device " + device_name(device.capability);
  return "";
}

// Returns the row after `last` that computes the problem, or null after the last one. With a null
// `last`, returns the first row. If tf32 is allowed, its rows come before the other rows of f32.
const Variant* next_row(const Problem& p, const Variant* last) {
  const auto next_of = [&](bool is_tf32, const Variant* begin) -> const Variant* {
    for (const Variant* row = begin; row != table.data() + table.size(); ++row) {
      if (row->is_tf32 == is_tf32 && computes(*row, p)) return row;
    }
    return nullptr;
  };
  if (last == nullptr || last->is_tf32) {
    const Variant* const row = next_of(true, last == nullptr ? table.data() : last + 1);
    if (row != nullptr) return row;
    last = nullptr;
  }
  return next_of(false, last == nullptr ? table.data() : last + 1);
}

// A choice without its reason. Callers that do not ask for the reason skip the work of writing it.
struct Pick {
  const Variant* variant = nullptr;
  int splits = 1;
};

Pick pick_splits(const Problem& p, const Variant& variant, std::size_t workspace_bytes,
                 const Device& device) {
  return {&variant, std::min(useful_splits(p, variant, device.multiprocessors),
                             allowed_splits(p, workspace_bytes))};
}

Pick pick(const Problem& p, std::size_t workspace_bytes, const Device& device,
          bool (*has)(const Variant&)) {
  const Variant* last = nullptr;
  for (const Variant* row = next_row(p, nullptr); row != nullptr; row = next_row(p, row)) {
    // A smaller tile with another instruction would be slower than a larger one with this.
    if (last != nullptr && std::strcmp(row->instruction, last->instruction) != 0) break;
    if (!is_runnable(*row, device, has)) continue;
    last = row;
    if (tiles_of(p, *row) >= device.multiprocessors) break;
  }
  return last == nullptr ? Pick{} : pick_splits(p, *last, workspace_bytes, device);
}

std::string describe_splits(int splits) {
  if (splits == 1) return "";
  return "; K in " + std::to_string(splits) + " parts to keep more busy";
}

// Returns the reason for pick()'s choice: its tile size, and the obstacles of the rows before it.
std::string reason_of(const Pick& picked, const Problem& p, const Device& device,
                      bool (*has)(const Variant&)) {
  std::string obstacles;
  for (const Variant* row = next_row(p, nullptr); row != picked.variant; row = next_row(p, row)) {
    const std::string lacks = obstacle(*row, device, has);
    if (!lacks.empty()) obstacles += std::string("; ") + row->name + " " + lacks;
  }
  if (picked.variant == nullptr) {
    if (!obstacles.empty()) return obstacles.substr(2);
    return next_row(p, nullptr) == nullptr ? "no variant is for these types"
                                           : "the runtime's answers change";
  }
  const long long tiles = tiles_of(p, *picked.variant);
  const std::string multiprocessors = std::to_string(device.multiprocessors) + " multiprocessors";
  const std::string size = tiles >= device.multiprocessors
                               ? "the largest tile that keeps all " + multiprocessors + " busy"
                               : "the smallest tile: there are only " + std::to_string(tiles) +
                                     " of them for " + multiprocessors;
  return size + describe_splits(picked.splits) + obstacles;
}

constexpr int max_devices = 64;
constexpr int max_variants = 64;

// Reports whether the binary has an image of the variant for the current device. Asks the runtime
// once per device and variant, because a query takes as long as a small product. Does not cache
// errors that may be temporary, such as out of memory.
bool is_in_binary(const Variant& variant) {
  enum : char { unknown, there, missing };
  static std::atomic<char> known[max_devices][max_variants];
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  // The variant may be a copy of its row: find the row by its function.
  const auto found = std::find_if(table.begin(), table.end(), [&](const Variant& row) {
    return row.is_loadable == variant.is_loadable;
  });
  const auto row = found - table.begin();
  if (found == table.end() || device >= max_devices || row >= max_variants)
    return variant.is_loadable() == cudaSuccess;
  std::atomic<char>& answer = known[device][row];
  if (answer == unknown) {
    const cudaError_t error = variant.is_loadable();
    if (error == cudaSuccess) answer = there;
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction)
      answer = missing;
  }
  return answer == there;
}

// The functions below require a valid problem.

Choice choose_without_reason(const Problem& problem, std::size_t workspace_bytes) {
  Device device;
  if (current_device(&device) != cudaSuccess) return {};
  const Pick picked = pick(problem, workspace_bytes, device, is_in_binary);
  return {picked.variant, picked.splits, ""};
}

Choice choose_with_reason(const Problem& p, std::size_t workspace_bytes, const Device& device,
                          bool (*has)(const Variant&)) {
  const Pick picked = pick(p, workspace_bytes, device, has);
  return {picked.variant, picked.splits, reason_of(picked, p, device, has)};
}

Choice choose_here(const Problem& problem, std::size_t workspace_bytes) {
  Device device;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) return {nullptr, 1, cudaGetErrorString(error)};
  return choose_with_reason(problem, workspace_bytes, device, is_in_binary);
}

Choice choose_forced(const Problem& problem, std::size_t workspace_bytes, const Variant& forced) {
  Device device;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) return {nullptr, 1, cudaGetErrorString(error)};
  const std::string lacks = computes(forced, problem) ? obstacle(forced, device, is_in_binary)
                            : forced.input == problem.input
                                ? "rounds to tf32, which Problem::allow_tf32 does not allow"
                                : "computes other types than the problem's";
  if (!lacks.empty()) return {nullptr, 1, std::string(forced.name) + " " + lacks};
  const Pick picked = pick_splits(problem, forced, workspace_bytes, device);
  return {&forced, picked.splits, "it was asked for" + describe_splits(picked.splits)};
}

}  // namespace

const std::vector<Variant>& variants() {
  return table;
}

const Variant* find_variant(const std::string& name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Variant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

cudaError_t current_device(Device* device) {
  int number = 0;
  int major = 0;
  int minor = 0;
  cudaError_t error = cudaGetDevice(&number);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, number);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, number);
  if (error == cudaSuccess) {
    error =
        cudaDeviceGetAttribute(&device->multiprocessors, cudaDevAttrMultiProcessorCount, number);
  }
  device->capability = major * 10 + minor;
  return error;
}

Choice choose(const Problem& p, std::size_t workspace_bytes, const Device& device,
              bool (*has)(const Variant&)) {
  const std::string reason = validate(p);
  if (!reason.empty()) return {nullptr, 1, reason};
  return choose_with_reason(p, workspace_bytes, device, has);
}

Choice choose(const Problem& problem, std::size_t workspace_bytes) {
  const std::string reason = validate(problem);
  return reason.empty() ? choose_here(problem, workspace_bytes) : Choice{nullptr, 1, reason};
}

Choice choose(const Problem& problem, std::size_t workspace_bytes, const Variant& forced) {
  const std::string reason = validate(problem);
  return reason.empty() ? choose_forced(problem, workspace_bytes, forced)
                        : Choice{nullptr, 1, reason};
}

std::size_t useful_workspace(const Problem& problem) {
  if (!validate_extents(problem).empty()) return 0;
  const Choice choice = choose_without_reason(problem, std::numeric_limits<std::size_t>::max());
  return choice.splits > 1 ? bytes_of_partials(problem) * static_cast<std::size_t>(choice.splits)
                           : 0;
}

cudaError_t gemm(const Problem& problem, const Options& options, Choice* choice) {
  Choice unused;
  Choice& made = choice == nullptr ? unused : *choice;
  made = {};
  made.reason = validate(problem);
  if (!made.reason.empty()) return cudaErrorInvalidValue;
  if (problem.m == 0 || problem.n == 0 || problem.batches == 0) return cudaSuccess;

  const std::size_t workspace_bytes = options.workspace == nullptr ? 0 : options.workspace_bytes;
  made = options.variant != nullptr ? choose_forced(problem, workspace_bytes, *options.variant)
         : choice != nullptr        ? choose_here(problem, workspace_bytes)
                                    : choose_without_reason(problem, workspace_bytes);
  if (made.variant == nullptr) return cudaErrorNotSupported;
  if (options.splits > 0) made.splits = options.splits;
  const std::string reason =
      validate_splits(problem, made.splits, options.workspace, options.workspace_bytes);
  if (!reason.empty()) {
    made.reason = reason;
    return cudaErrorInvalidValue;
  }
  if (reinterpret_cast<std::uintptr_t>(options.workspace) % 8 != 0) {
    made.reason = "the workspace does not begin at a multiple of 8 bytes";
    return cudaErrorInvalidValue;
  }
  if (tiles_of(problem, *made.variant) > max_grid / made.splits) {
    made.reason = "there are more tiles than a grid holds";
    return cudaErrorInvalidValue;
  }
  return made.variant->launch(problem, made.splits, options.workspace, options.stream);
}

}  // namespace archgrid::gemm
