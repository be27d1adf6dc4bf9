// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cpu_emulator/tensor_core.hpp>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "block.hpp"

namespace archgrid::cpu_emulator {
namespace {

constexpr int warp_lanes = 32;

// --- numbers -------------------------------------------------------------------------------------

// A number split for adding: significand * 2^(exponent - fraction_bits). The magnitude of a normal
// number's significand is in [1, 2) * 2^fraction_bits; that of a subnormal number is smaller.
struct Parts {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool is_negative = false;
  std::int16_t exponent = 0;
  std::int32_t significand = 0;  // at most 24 bits and a sign
};

// Below all relevant exponents, even after adding another exponent: zeros never determine the
// largest exponent.
constexpr std::int16_t exponent_of_zero = -4096;

struct Format {
  int bits;  // width of the number
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;
};

Format format_of(Number type) {
  switch (type) {
    case Number::f16:
      return {16, 5, 10, true};
    case Number::bf16:
      return {16, 8, 7, true};
    case Number::tf32:
      return {32, 8, 10, true};
    case Number::e4m3:
      return {8, 4, 3, false};
    case Number::e5m2:
      return {8, 5, 2, true};
  }
  return {};
}

constexpr Format fp32 = {32, 8, 23, true};

Parts parts_of(std::uint32_t bits, const Format& format, int stored_fraction_bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t largest = (1u << format.exponent_bits) - 1;
  const std::uint32_t exponent = bits >> stored_fraction_bits & largest;
  const std::uint32_t stored = bits & ((1u << stored_fraction_bits) - 1);
  const std::uint32_t fraction = stored >> (stored_fraction_bits - format.fraction_bits);
  Parts parts;
  parts.is_negative = (bits >> (format.bits - 1) & 1u) != 0;
  if (exponent == largest && format.has_infinity) {
    parts.kind = fraction == 0 ? Parts::Kind::infinite : Parts::Kind::nan;
  } else if (exponent == largest && fraction == (1u << format.fraction_bits) - 1) {
    parts.kind = Parts::Kind::nan;  // e4m3 has one NaN code, and no infinity
  }
  parts.exponent = static_cast<std::int16_t>(static_cast<int>(std::max(exponent, 1u)) - bias);
  auto magnitude = static_cast<std::int32_t>(fraction);
  if (exponent != 0) magnitude |= std::int32_t{1} << format.fraction_bits;
  if (magnitude == 0) parts.exponent = exponent_of_zero;
  parts.significand = parts.is_negative ? -magnitude : magnitude;
  return parts;
}

Parts parts_of(std::uint32_t bits, Number type) {
  // A tf32 register has 23 bits of fraction, of which the lowest are ignored.
  const Format format = format_of(type);
  return parts_of(bits, format, type == Number::tf32 ? 23 : format.fraction_bits);
}

Parts parts_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return parts_of(bits, fp32, fp32.fraction_bits);
}

float canonical_nan() {
  const std::uint32_t bits = 0x7fffffffu;
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// --- sums ----------------------------------------------------------------------------------------

// A device's way of adding: products of `block` neighbours in K at once. Below the largest exponent
// it keeps `fraction` bits, at least as many as a product has; the result keeps `result` bits. A
// term that is zero has `zero_exponent`.
struct Adder {
  int block;
  int fraction;
  int zero_exponent;
  int result = fp32.fraction_bits;
};

// Returns sum * 2^exponent rounded toward zero to a number with `fraction_bits`. An overflow
// becomes infinite; an underflow becomes +0, whatever its sign.
float toward_zero(std::int64_t sum, int exponent, int fraction_bits) {
  constexpr int stored = fp32.fraction_bits;
  constexpr int bias = 127;
  if (sum == 0) return 0;
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  const int length = static_cast<int>(std::bit_width(magnitude));
  const int largest = exponent + length - 1;  // largest power of two in the sum
  if (largest > bias) {
    return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(sum));
  }
  // The exponent of the last bit of a float here; for subnormal numbers it is constant.
  const int last = std::max(largest, 1 - bias) - stored;
  const int shift = exponent - last;
  std::uint64_t kept = 0;
  if (shift >= 0) {
    kept = magnitude << shift;
  } else if (shift > -64) {
    kept = magnitude >> -shift;
  }
  auto bits = static_cast<std::uint32_t>(kept);
  // A normal number's first bit is not stored: here it adds one to the exponent.
  if (largest > 1 - bias) bits += static_cast<std::uint32_t>(largest + bias - 1) << stored;
  bits &= ~((1u << (stored - fraction_bits)) - 1);
  if (bits != 0 && sum < 0) bits |= 1u << (fp32.bits - 1);
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

Parts::Kind kind_of_product(const Parts& a, const Parts& b) {
  using Kind = Parts::Kind;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return Kind::nan;
  if (a.kind == Kind::finite && b.kind == Kind::finite) return Kind::finite;
  const auto is_zero = [](const Parts& p) { return p.kind == Kind::finite && p.significand == 0; };
  return is_zero(a) || is_zero(b) ? Kind::nan : Kind::infinite;
}

// Returns the sum of C and products that are not all finite.
float special_sum(const Parts* a, const Parts* b, std::size_t count, const Parts& c) {
  bool has_nan = c.kind == Parts::Kind::nan;
  bool has_infinity[2] = {};  // positive, negative
  if (c.kind == Parts::Kind::infinite) has_infinity[c.is_negative] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Parts::Kind kind = kind_of_product(a[i], b[i]);
    if (kind == Parts::Kind::nan) has_nan = true;
    if (kind == Parts::Kind::infinite) has_infinity[a[i].is_negative != b[i].is_negative] = true;
  }
  if (has_nan || (has_infinity[0] && has_infinity[1])) return canonical_nan();
  const float infinity = std::numeric_limits<float>::infinity();
  return has_infinity[1] ? -infinity : infinity;
}

// Adds products to C in one step.
class Block {
 public:
  static constexpr std::size_t kMaxProducts = 32;

  // `fraction_bits` are those of the factors. Tests spend most of their time here.
  static float sum(const Parts* a, const Parts* b, std::size_t count, int fraction_bits,
                   const Parts& c, const Adder& adder) {
    std::int32_t products[kMaxProducts];
    int exponents[kMaxProducts];
    // Without a zero term this is C's exponent: C is not zero, so its exponent exceeds that of
    // zero.
    int largest = std::max<int>(adder.zero_exponent, c.exponent);
    auto kinds = static_cast<unsigned>(c.kind);
    for (std::size_t i = 0; i < count; ++i) {
      kinds |= static_cast<unsigned>(a[i].kind) | static_cast<unsigned>(b[i].kind);
      products[i] = a[i].significand * b[i].significand;
      exponents[i] = a[i].exponent + b[i].exponent;
      largest = std::max(largest, exponents[i]);
    }
    if (kinds != static_cast<unsigned>(Parts::Kind::finite)) return special_sum(a, b, count, c);
    const int more_than_c = adder.fraction - fp32.fraction_bits;
    std::int64_t sum = aligned(c.significand, std::max(more_than_c, 0),
                               largest - c.exponent + std::max(-more_than_c, 0));
    const int more = adder.fraction - 2 * fraction_bits;
    for (std::size_t i = 0; i < count; ++i) {
      sum += aligned(products[i], more, largest - exponents[i]);
    }
    return toward_zero(sum, largest - adder.fraction, adder.result);
  }

 private:
  // Returns significand * 2^(more - less), truncated toward zero. Both shifts are non-negative.
  static std::int64_t aligned(std::int32_t significand, int more, int less) {
    const std::int64_t shifted = std::int64_t{std::abs(significand)} << more;
    const std::int64_t magnitude = shifted >> std::min(less, 63);
    return significand < 0 ? -magnitude : magnitude;
  }
};

// A row of A or a column of B.
struct Line {
  const Parts* parts;
  std::size_t count;
  // False if unknown.
  bool is_zero = false;
  bool is_finite = false;
};

Line line_of(const Parts* parts, std::size_t count) {
  std::int32_t bits = 0;
  unsigned kinds = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bits |= parts[i].significand;
    kinds |= static_cast<unsigned>(parts[i].kind);
  }
  const bool is_finite = kinds == static_cast<unsigned>(Parts::Kind::finite);
  return {parts, count, is_finite && bits == 0, is_finite};
}

float dot(const Line& a, const Line& b, int fraction_bits, float c, const Adder& adder) {
  const auto block = static_cast<std::size_t>(adder.block);
  if (block > Block::kMaxProducts) {
    throw std::logic_error(
        fmt::format("an adder has a block of {}; the largest is {}", block, Block::kMaxProducts));
  }
  // Shortcut: products with zeros add nothing, however often C is truncated. Tiles have many such
  // lines at their edges.
  if ((a.is_zero && b.is_finite) || (b.is_zero && a.is_finite)) {
    return Block::sum(a.parts, b.parts, 0, fraction_bits, parts_of(c), adder);
  }
  for (std::size_t first = 0; first < a.count; first += block) {
    c = Block::sum(a.parts + first, b.parts + first, std::min(block, a.count - first),
                   fraction_bits, parts_of(c), adder);
  }
  return c;
}

// --- rules of devices ----------------------------------------------------------------------------

struct Rule {
  Adder adder;
  /// A device without 8-bit tensor cores converts the numbers: it multiplies the first two of every
  /// four, then the others, and adds C at the end.
  bool is_converted = false;
};

// The m16n8 shapes that mma() models, and the first device that has each.
struct Shape {
  Number type;
  int k;
  int first_device;
};
constexpr Shape shapes[] = {{Number::f16, 8, 75},   {Number::f16, 16, 80}, {Number::bf16, 8, 80},
                            {Number::bf16, 16, 80}, {Number::tf32, 4, 80}, {Number::tf32, 8, 80},
                            {Number::e4m3, 32, 89}, {Number::e5m2, 32, 89}};

const Shape* find_shape(Number type, int k) {
  for (const Shape& shape : shapes) {
    if (shape.type == type && shape.k == k) return &shape;
  }
  return nullptr;
}

// Returns the adder of a device that has a shape of `type`.
Rule rule_of(Number type, int device) {
  if (type == Number::e4m3 || type == Number::e5m2) {
    if (device == 89) return {{16, 13, -132, 13}};
    if (device >= 120) return {{32, 25, -133}};
    return {{16, 25, -133}, true};
  }
  const int half = type == Number::tf32 ? 2 : 1;
  if (device < 90) return {{8 / half, 24, -132}};
  return {{16 / half, 25, -133}};
}

// Returns the position of element `k` of `count` in a sum that starts with the first two of every
// four, then adds the others.
int converted_turn(int k, int count) {
  return k % 4 / 2 * (count / 2) + k / 4 * 2 + k % 2;
}

float converted_dot(const Line& a, const Line& b, int fraction_bits, float c, const Adder& adder) {
  const float sum = dot(a, b, fraction_bits, 0.0f, adder) + c;
  return std::isnan(sum) ? canonical_nan() : sum;
}

std::string name_of(Number type, int k) {
  static constexpr const char* names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2"};
  return fmt::format("mma.m16n8k{} of {}", k, names[static_cast<std::size_t>(type)]);
}

[[noreturn]] void stop_unmodelled(Number type, int k, Site site) {
  detail::stop_with(DefectKind::invalid_argument, name_of(type, k) + " is not modelled", site);
}

// `first_device` is 75 for 7.5.
[[noreturn]] void stop_lacking(const char* instruction, int first_device, Site site) {
  detail::stop_with(
      DefectKind::invalid_argument,
      fmt::format("{} needs compute capability {}.{}; the device is {}.{}", instruction,
                  first_device / 10, first_device % 10, device() / 10, device() % 10),
      site);
}

// --- fragments -----------------------------------------------------------------------------------

struct FloatLane {
  Number type;
  int k;
  Rule rule;
  const std::uint32_t* a;
  const std::uint32_t* b;
  const float* c;
  float* d;
};

// Returns the element at `position` of a register.
std::uint32_t element(std::uint32_t word, int position, int bits) {
  return bits == 32 ? word : word >> (position * bits) & ((1u << bits) - 1);
}

// The place of an operand's element (line, k): a lane has `per_register` neighbours in K of one
// line. Four lanes form a line, and again for the second half of K. `line` is a row of A or a
// column of B; rows from 8 on are in every other register.
struct Place {
  int lane;
  int in_register;
  int position;
};
constexpr Place place_of(int line, int k, int per_register, int registers_a_half) {
  const int half = k / (4 * per_register);
  const int within = k % (4 * per_register);
  return {line % 8 * 4 + within / per_register, half * registers_a_half + line / 8,
          within % per_register};
}

// A and B of a product: the elements of K of each line, in the order of the sum.
struct Operands {
  std::vector<Parts> a;
  std::vector<Parts> b;
};

// Reads the fragments of all lanes. A constant number of elements per register avoids divisions.
template <int PerRegister>
void read_operands(void* const (&lanes)[warp_lanes], Operands& operands) {
  const FloatLane& first = *static_cast<const FloatLane*>(lanes[0]);
  const int k = first.k;
  const auto part = [&](const std::uint32_t* FloatLane::*fragment, const Place& p) {
    const std::uint32_t* const words = static_cast<const FloatLane*>(lanes[p.lane])->*fragment;
    return parts_of(element(words[p.in_register], p.position, 32 / PerRegister), first.type);
  };
  operands.a.resize(static_cast<std::size_t>(16 * k));
  operands.b.resize(static_cast<std::size_t>(8 * k));
  for (int i = 0; i < k; ++i) {
    const int turn = first.rule.is_converted ? converted_turn(i, k) : i;
    for (int row = 0; row < 16; ++row) {
      operands.a[static_cast<std::size_t>(row * k + turn)] =
          part(&FloatLane::a, place_of(row, i, PerRegister, 2));
    }
    for (int column = 0; column < 8; ++column) {
      operands.b[static_cast<std::size_t>(column * k + turn)] =
          part(&FloatLane::b, place_of(column, i, PerRegister, 1));
    }
  }
}

void multiply_floats(void* const (&lanes)[warp_lanes]) {
  const FloatLane& first = *static_cast<const FloatLane*>(lanes[0]);
  const Format format = format_of(first.type);
  const int k = first.k;
  thread_local Operands operands;  // static to reuse its memory
  switch (32 / format.bits) {
    case 1:
      read_operands<1>(lanes, operands);
      break;
    case 2:
      read_operands<2>(lanes, operands);
      break;
    default:
      read_operands<4>(lanes, operands);
  }
  Line rows[16];
  Line columns[8];
  const auto count = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < 16; ++i) rows[i] = line_of(operands.a.data() + i * count, count);
  for (std::size_t i = 0; i < 8; ++i) columns[i] = line_of(operands.b.data() + i * count, count);
  const auto sum = first.rule.is_converted ? converted_dot : dot;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const FloatLane& own = *static_cast<const FloatLane*>(lanes[lane]);
    float d[4];
    for (int i = 0; i < 4; ++i) {
      d[i] = sum(rows[lane / 4 + i / 2 * 8], columns[lane % 4 * 2 + i % 2], format.fraction_bits,
                 own.c[i], first.rule.adder);
    }
    std::copy(d, d + 4, own.d);
  }
}

struct IntegerLane {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::int32_t* c;
  std::int32_t* d;
};

std::int32_t s8(std::uint32_t word, int position) {
  return static_cast<std::int8_t>(word >> (8 * position) & 0xffu);
}

// A has `Rows` rows, 8 or 16, and `K` columns.
template <int Rows, int K>
void multiply_integers(void* const (&lanes)[warp_lanes]) {
  const auto operand = [&](int lane) { return static_cast<const IntegerLane*>(lanes[lane]); };
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const IntegerLane& own = *operand(lane);
    std::int32_t d[Rows / 4];
    for (int i = 0; i < Rows / 4; ++i) {
      auto sum = static_cast<std::uint32_t>(own.c[i]);
      for (int k = 0; k < K; ++k) {
        const Place at_a = place_of(lane / 4 + i / 2 * 8, k, 4, Rows / 8);
        const Place at_b = place_of(lane % 4 * 2 + i % 2, k, 4, 1);
        sum +=
            static_cast<std::uint32_t>(s8(operand(at_a.lane)->a[at_a.in_register], at_a.position) *
                                       s8(operand(at_b.lane)->b[at_b.in_register], at_b.position));
      }
      d[i] = static_cast<std::int32_t>(sum);
    }
    std::copy(d, d + Rows / 4, own.d);
  }
}

// --- sparse fragments ----------------------------------------------------------------------------

// The place of the four bits of metadata for two of every four columns of A: bits 0 and 1 are the
// first element's column among the four, bits 2 and 3 the second's.
struct MetadataPlace {
  int lane;
  int bit;
};
MetadataPlace metadata_of_floats(int row, int group) {
  return {row % 8 * 4 + group / 4, row / 8 * 16 + group % 4 * 4};
}
MetadataPlace metadata_of_integers(int row, int group) {
  return {row % 8 * 4 + group / 8 * 2 + row / 8, group % 8 * 4};
}

void check_metadata(std::uint32_t metadata, Site site) {
  for (int bit = 0; bit < 32; bit += 4) {
    const std::uint32_t first = metadata >> bit & 3u;
    const std::uint32_t second = metadata >> (bit + 2) & 3u;
    if (first < second) continue;
    detail::stop_with(DefectKind::invalid_argument,
                      fmt::format("mma.sp: bits {} to {} of the metadata {:#010x} name elements {} "
                                  "and {} of four: the second must come after the first",
                                  bit, bit + 3, metadata, first, second),
                      site);
  }
}

struct SparseFloatLane {
  Number type;
  Rule rule;
  const std::uint32_t* a;
  const std::uint32_t* b;
  const float* c;
  std::uint32_t metadata;
  float* d;
};

void multiply_sparse_floats(void* const (&lanes)[warp_lanes]) {
  constexpr int kept = 16;
  const auto operand = [&](int lane) { return static_cast<const SparseFloatLane*>(lanes[lane]); };
  const SparseFloatLane& first = *operand(0);
  const Format format = format_of(first.type);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const SparseFloatLane& own = *operand(lane);
    float d[4];
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + i / 2 * 8;
      const int column = lane % 4 * 2 + i % 2;
      Parts a[kept];
      Parts b[kept];
      for (int k = 0; k < kept; ++k) {
        const Place at_a = place_of(row, k, 2, 2);
        const MetadataPlace index = metadata_of_floats(row, k / 2);
        const auto within =
            static_cast<int>(operand(index.lane)->metadata >> (index.bit + k % 2 * 2) & 3u);
        const Place at_b = place_of(column, k / 2 * 4 + within, 2, 1);
        a[k] = parts_of(element(operand(at_a.lane)->a[at_a.in_register], at_a.position, 16),
                        first.type);
        b[k] = parts_of(element(operand(at_b.lane)->b[at_b.in_register], at_b.position, 16),
                        first.type);
      }
      d[i] = dot({a, kept}, {b, kept}, format.fraction_bits, own.c[i], first.rule.adder);
    }
    std::copy(d, d + 4, own.d);
  }
}

struct SparseIntegerLane {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::int32_t* c;
  std::uint32_t metadata;
  std::int32_t* d;
};

void multiply_sparse_integers(void* const (&lanes)[warp_lanes]) {
  constexpr int kept = 32;
  const auto operand = [&](int lane) { return static_cast<const SparseIntegerLane*>(lanes[lane]); };
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const SparseIntegerLane& own = *operand(lane);
    std::int32_t d[4];
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + i / 2 * 8;
      const int column = lane % 4 * 2 + i % 2;
      auto sum = static_cast<std::uint32_t>(own.c[i]);
      for (int k = 0; k < kept; ++k) {
        const Place at_a = place_of(row, k, 4, 2);
        const MetadataPlace index = metadata_of_integers(row, k / 2);
        const auto within =
            static_cast<int>(operand(index.lane)->metadata >> (index.bit + k % 2 * 2) & 3u);
        const Place at_b = place_of(column, k / 2 * 4 + within, 4, 1);
        sum +=
            static_cast<std::uint32_t>(s8(operand(at_a.lane)->a[at_a.in_register], at_a.position) *
                                       s8(operand(at_b.lane)->b[at_b.in_register], at_b.position));
      }
      d[i] = static_cast<std::int32_t>(sum);
    }
    std::copy(d, d + 4, own.d);
  }
}

struct DoubleLane {
  double a;
  double b;
  const double* c;
  double* d;
};

void multiply_doubles(void* const (&lanes)[warp_lanes]) {
  const auto operand = [&](int lane) { return static_cast<const DoubleLane*>(lanes[lane]); };
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const DoubleLane& own = *operand(lane);
    for (int i = 0; i < 2; ++i) {
      double sum = own.c[i];
      for (int k = 0; k < 4; ++k) {
        sum = std::fma(operand(lane / 4 * 4 + k)->a, operand((lane % 4 * 2 + i) * 4 + k)->b, sum);
      }
      own.d[i] = sum;
    }
  }
}

struct MatrixLane {
  const void* row;
  int matrices;
  bool transposed;
  std::uint32_t* registers;
};

void load_matrices(void* const (&lanes)[warp_lanes]) {
  const auto operand = [&](int lane) { return static_cast<const MatrixLane*>(lanes[lane]); };
  for (int matrix = 0; matrix < operand(0)->matrices; ++matrix) {
    std::uint16_t elements[8][8];
    for (int row = 0; row < 8; ++row) {
      std::memcpy(elements[row], operand(8 * matrix + row)->row, sizeof(elements[row]));
    }
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const int line = lane / 4;
      const int first = lane % 4 * 2;
      const bool transposed = operand(lane)->transposed;
      const std::uint32_t low = transposed ? elements[first][line] : elements[line][first];
      const std::uint32_t high = transposed ? elements[first + 1][line] : elements[line][first + 1];
      operand(lane)->registers[matrix] = low | high << 16;
    }
  }
}

constexpr unsigned all_lanes = 0xffffffffu;

}  // namespace

void ldmatrix(std::uint32_t* registers, int matrices, const void* row, bool transposed, Site site) {
  const detail::Running running;
  if (device() < 75) stop_lacking("ldmatrix", 75, site);
  if (matrices != 1 && matrices != 2 && matrices != 4) {
    stop(DefectKind::invalid_argument, "ldmatrix loads 1, 2 or 4 matrices", site);
  }
  if (static_cast<int>(lane()) < 8 * matrices) {
    check_alignment(row, 16, "ldmatrix", site);
    check_is_shared(row, 16, "ldmatrix", site);
    check_access(row, 16, Access::read);
  }
  MatrixLane mine{row, matrices, transposed, registers};
  meet_warp(all_lanes, "ldmatrix", Convergence::aligned, load_matrices, &mine, site);
}

void mma(Number type, int k, float (&d)[4], const std::uint32_t* a, const std::uint32_t* b,
         const float (&c)[4], Site site) {
  const detail::Running running;
  const Shape* const shape = find_shape(type, k);
  if (shape == nullptr) stop_unmodelled(type, k, site);
  if (device() < shape->first_device) {
    stop_lacking(name_of(type, k).c_str(), shape->first_device, site);
  }
  FloatLane mine{type, k, rule_of(type, device()), a, b, c, d};
  meet_warp(all_lanes, "mma", Convergence::aligned, multiply_floats, &mine, site);
}

void mma_s8(std::int32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
            const std::int32_t (&c)[4], Site site) {
  const detail::Running running;
  if (device() < 80) stop_lacking("mma.m16n8k32 of s8", 80, site);
  IntegerLane mine{a, b, c, d};
  meet_warp(all_lanes, "mma", Convergence::aligned, multiply_integers<16, 32>, &mine, site);
}

void mma_s8(std::int32_t (&d)[2], std::uint32_t a, std::uint32_t b, const std::int32_t (&c)[2],
            Site site) {
  const detail::Running running;
  if (device() < 75) stop_lacking("mma.m8n8k16 of s8", 75, site);
  IntegerLane mine{&a, &b, c, d};
  meet_warp(all_lanes, "mma", Convergence::aligned, multiply_integers<8, 16>, &mine, site);
}

void mma_sp(Number type, float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
            const float (&c)[4], std::uint32_t metadata, Site site) {
  const detail::Running running;
  if (type != Number::f16 && type != Number::bf16) {
    stop(DefectKind::invalid_argument, "mma.sp.m16n8k32 is of f16 or bf16", site);
  }
  if (device() < 80) stop_lacking("mma.sp.m16n8k32", 80, site);
  if (lane() % 4 < 2) check_metadata(metadata, site);
  SparseFloatLane mine{type, rule_of(type, device()), a, b, c, metadata, d};
  meet_warp(all_lanes, "mma.sp", Convergence::aligned, multiply_sparse_floats, &mine, site);
}

void mma_sp_s8(std::int32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
               const std::int32_t (&c)[4], std::uint32_t metadata, Site site) {
  const detail::Running running;
  if (device() < 80) stop_lacking("mma.sp.m16n8k64 of s8", 80, site);
  check_metadata(metadata, site);
  SparseIntegerLane mine{a, b, c, metadata, d};
  meet_warp(all_lanes, "mma.sp", Convergence::aligned, multiply_sparse_integers, &mine, site);
}

void mma_f64(double (&d)[2], double a, double b, const double (&c)[2], Site site) {
  const detail::Running running;
  if (device() < 80) stop_lacking("mma.m8n8k4 of f64", 80, site);
  DoubleLane mine{a, b, c, d};
  meet_warp(all_lanes, "mma", Convergence::aligned, multiply_doubles, &mine, site);
}

}  // namespace archgrid::cpu_emulator
