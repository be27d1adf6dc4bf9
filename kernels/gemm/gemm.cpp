// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/gemm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gemm/variant.h"

namespace archgrid::gemm {
namespace {

constexpr long long largest_grid = 2147483647;
constexpr int most_splits = 1024;

// --- the table -----------------------------------------------------------------------------------

// ARCHGRID_GEMM_HAS_<source>, 0 or 1, is what the build says of each source.
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

// --- what a problem must be ----------------------------------------------------------------------

bool go_together(Type input, Type output) {
  switch (input) {
    case Type::f32:
      return output == Type::f32;
    case Type::f64:
      return output == Type::f64;
    case Type::f16:
      return output == Type::f16 || output == Type::f32;
    case Type::bf16:
      return output == Type::bf16 || output == Type::f32;
    case Type::e4m3:
    case Type::e5m2:
      return output == Type::f32 || output == Type::f16 || output == Type::bf16;
    case Type::s8:
      return output == Type::s32;
    default:
      return false;
  }
}

bool is_multiple(const void* address, int bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) == 0;
}

template <class Pointer>
std::string mistake_in(const char* what, const Matrix<Pointer>& matrix, Type type, long long rows,
                       long long columns, int batches) {
  const bool is_row_major = matrix.layout == Layout::row;
  const long long least = is_row_major ? columns : rows;
  const std::string matrix_name = what;
  if (matrix.leading < least) {
    return matrix_name + "'s leading dimension is " + std::to_string(matrix.leading) +
           ", and its " + (is_row_major ? "rows" : "columns") + " have " + std::to_string(least) +
           " elements";
  }
  if (matrix.batch_stride < 0) return matrix_name + "'s batch stride is negative";
  const bool has_elements = rows > 0 && columns > 0 && batches > 0;
  if (has_elements && matrix.data == nullptr) return matrix_name + " is a null pointer";
  if (!is_multiple(matrix.data, bytes_of(type))) {
    return matrix_name + " does not begin at a multiple of its elements' size";
  }
  return "";
}

bool is_whole_number(double value) {
  return value == std::floor(value) && std::abs(value) <= std::numeric_limits<int>::max();
}

// Products that share elements of C would write them at the same time.
std::string mistake_in_batch(const Problem& p) {
  constexpr long long most_elements = 1ll << 48;
  long long elements = 0;
  if (__builtin_mul_overflow(1ll * p.m * p.n, 1ll * p.batches, &elements) ||
      elements > most_elements) {
    return "C has more elements than any device has room for";
  }
  const bool is_row_major = p.c.layout == Layout::row;
  const long long lines = is_row_major ? p.m : p.n;
  const long long length = is_row_major ? p.n : p.m;
  if (p.batches > 1 && elements > 0 && p.c.batch_stride < (lines - 1) * p.c.leading + length) {
    return "C's batch stride lets the products of the batch overlap";
  }
  return "";
}

std::string mistake_in_numbers(const Problem& p) {
  if (p.bias != nullptr && !is_multiple(p.bias, bytes_of(p.output))) {
    return "the bias does not begin at a multiple of its elements' size";
  }
  if (p.input != Type::s8) return "";
  if (!is_whole_number(p.alpha) || !is_whole_number(p.beta)) {
    return "alpha and beta of a product of s8 are whole numbers of 32 bits";
  }
  if (p.activation != Activation::none && p.activation != Activation::relu) {
    return "a product of s8 has no activation but relu";
  }
  return "";
}

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

// A part of K is worth an addition of its own from eight slices on.
int useful_splits(const Problem& p, const Variant& variant, int multiprocessors) {
  constexpr int least_slices = 8;
  const long long slices = (p.k + variant.tile_k - 1ll) / variant.tile_k;
  const long long busy = tiles_of(p, variant);
  if (busy == 0) return 1;
  return static_cast<int>(std::max(1ll, std::min(multiprocessors / busy, slices / least_slices)));
}

int allowed_splits(const Problem& p, std::size_t workspace_bytes) {
  const std::size_t bytes = bytes_of_partials(p);
  if (bytes == 0) return 1;
  return static_cast<int>(
      std::max<std::size_t>(1, std::min<std::size_t>(workspace_bytes / bytes, most_splits)));
}

std::string device_name(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

bool computes(const Variant& variant, const Problem& p) {
  return variant.input == p.input && (!variant.is_tf32 || p.allow_tf32);
}

// What keeps a variant from running; empty if nothing does.
std::string obstacle(const Variant& variant, const Device& device, bool (*has)(const Variant&)) {
  if (device.capability < variant.first_device) {
    return "needs a device from " + device_name(variant.first_device) + " on, this is " +
           device_name(device.capability);
  }
  if (variant.launch == nullptr) {
    return std::string("is not in this build: it needs CUDA ") + variant.first_toolkit +
           " and an architecture from " + device_name(variant.first_device) + " on";
  }
  if (!has(variant))
    return "this binary has no image of it for device " + device_name(device.capability);
  return "";
}

Choice settled(const Problem& p, const Variant& variant, std::size_t workspace_bytes,
               const Device& device, std::string reason) {
  Choice choice;
  choice.variant = &variant;
  choice.splits = std::min(useful_splits(p, variant, device.multiprocessors),
                           allowed_splits(p, workspace_bytes));
  choice.reason = std::move(reason);
  if (choice.splits > 1)
    choice.reason += "; K in " + std::to_string(choice.splits) + " parts to keep more busy";
  return choice;
}

bool is_in_binary(const Variant& variant) {
  return variant.is_loadable() == cudaSuccess;
}

// A tf32 row, where it is wanted, comes before the others of its type.
std::vector<const Variant*> rows_for(const Problem& p) {
  std::vector<const Variant*> rows;
  for (const Variant& variant : table) {
    if (computes(variant, p)) rows.push_back(&variant);
  }
  std::stable_partition(rows.begin(), rows.end(), [](const Variant* v) { return v->is_tf32; });
  return rows;
}

}  // namespace

const char* name(Type type) {
  switch (type) {
    case Type::f32:
      return "f32";
    case Type::f64:
      return "f64";
    case Type::f16:
      return "f16";
    case Type::bf16:
      return "bf16";
    case Type::e4m3:
      return "e4m3";
    case Type::e5m2:
      return "e5m2";
    case Type::s8:
      return "s8";
    case Type::s32:
      return "s32";
  }
  return "unknown";
}

const std::vector<Variant>& variants() {
  return table;
}

const Variant* find_variant(const std::string& name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Variant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string mistake_in(const Problem& p) {
  constexpr int largest_extent = std::numeric_limits<int>::max() - 256;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batches < 0) return "m, n, k and batches are not negative";
  if (p.m > largest_extent || p.n > largest_extent || p.k > largest_extent) {
    return "m, n and k are at most " + std::to_string(largest_extent);
  }
  if (!go_together(p.input, p.output)) {
    return std::string("products of ") + name(p.input) + " are not stored as " + name(p.output);
  }
  for (const std::string& mistake : {mistake_in("A", p.a, p.input, p.m, p.k, p.batches),
                                     mistake_in("B", p.b, p.input, p.k, p.n, p.batches),
                                     mistake_in("C", p.c, p.output, p.m, p.n, p.batches),
                                     mistake_in_batch(p), mistake_in_numbers(p)}) {
    if (!mistake.empty()) return mistake;
  }
  return "";
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
  const Variant* last = nullptr;
  std::string obstacles;
  for (const Variant* variant : rows_for(p)) {
    // A smaller tile of other instructions would be slower than a larger one of these.
    if (last != nullptr && std::string(variant->instruction) != last->instruction) break;
    const std::string lacks = obstacle(*variant, device, has);
    if (!lacks.empty()) {
      obstacles += std::string(obstacles.empty() ? "" : "; ") + variant->name + " " + lacks;
      continue;
    }
    last = variant;
    if (tiles_of(p, *variant) >= device.multiprocessors) {
      return settled(p, *variant, workspace_bytes, device,
                     "the largest tile that keeps all " + std::to_string(device.multiprocessors) +
                         " multiprocessors busy");
    }
  }
  if (last != nullptr) {
    return settled(p, *last, workspace_bytes, device,
                   "the smallest tile: there are only " + std::to_string(tiles_of(p, *last)) +
                       " of them for " + std::to_string(device.multiprocessors) +
                       " multiprocessors");
  }
  Choice none;
  none.reason = obstacles.empty() ? "no variant is for these types" : obstacles;
  return none;
}

Choice choose(const Problem& problem, std::size_t workspace_bytes) {
  Device device;
  const cudaError_t error = current_device(&device);
  if (error == cudaSuccess) return choose(problem, workspace_bytes, device, is_in_binary);
  Choice none;
  none.reason = cudaGetErrorString(error);
  return none;
}

Choice choose(const Problem& problem, std::size_t workspace_bytes, const Variant& forced) {
  Choice none;
  Device device;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) {
    none.reason = cudaGetErrorString(error);
    return none;
  }
  std::string lacks = computes(forced, problem) ? obstacle(forced, device, is_in_binary)
                                                : "computes other types than the problem's";
  if (!lacks.empty()) {
    none.reason = std::string(forced.name) + " " + lacks;
    return none;
  }
  return settled(problem, forced, workspace_bytes, device, "it was asked for");
}

std::size_t useful_workspace(const Problem& problem) {
  const Choice choice = choose(problem, std::numeric_limits<std::size_t>::max());
  return choice.splits > 1 ? bytes_of_partials(problem) * static_cast<std::size_t>(choice.splits)
                           : 0;
}

cudaError_t gemm(const Problem& problem, const Options& options, Choice* made_by) {
  Choice choice;
  Choice& made = made_by == nullptr ? choice : *made_by;
  made = {};
  made.reason = mistake_in(problem);
  if (!made.reason.empty()) return cudaErrorInvalidValue;
  if (problem.m == 0 || problem.n == 0 || problem.batches == 0) return cudaSuccess;

  const std::size_t workspace_bytes = options.workspace == nullptr ? 0 : options.workspace_bytes;
  made = options.variant == nullptr ? choose(problem, workspace_bytes)
                                    : choose(problem, workspace_bytes, *options.variant);
  if (made.variant == nullptr) return cudaErrorNotSupported;
  if (options.splits > 0) made.splits = options.splits;
  if (made.splits > allowed_splits(problem, workspace_bytes)) {
    made.reason = "the workspace is too small for K in " + std::to_string(made.splits) +
                  " parts, or that is more than " + std::to_string(most_splits);
    return cudaErrorInvalidValue;
  }
  if (!is_multiple(options.workspace, 8)) {
    made.reason = "the workspace does not begin at a multiple of 8 bytes";
    return cudaErrorInvalidValue;
  }
  if (tiles_of(problem, *made.variant) > largest_grid / made.splits) {
    made.reason = "there are more tiles than a grid holds";
    return cudaErrorInvalidValue;
  }
  return made.variant->launch(problem, made.splits, options.workspace, options.stream);
}

}  // namespace archgrid::gemm
