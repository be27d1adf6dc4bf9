// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_KNOWLEDGE_HPP
#define ARCHGRID_LAUNCHES_KNOWLEDGE_HPP

#include <archgrid/launches.hpp>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "program.hpp"
#include "value.hpp"

namespace archgrid::launches {

/// Offsets in cudaDeviceProp since CUDA 10.
constexpr std::uint64_t kMajorOffset = 0x168;
constexpr std::uint64_t kMinorOffset = 0x16c;

/// Numbers of the attributes cudaDevAttrComputeCapabilityMajor and -Minor.
constexpr std::uint64_t kMajorAttribute = 75;
constexpr std::uint64_t kMinorAttribute = 76;

/// Marks owners of members: functions that store them behind an argument, as constructors do.
constexpr std::uint64_t kOfArgument = std::uint64_t{1} << 62;

/// Returns the owner of members that a function stores behind an argument.
constexpr std::uint64_t owner_of(std::uint64_t function, std::uint64_t argument) {
  return (function | kOfArgument) + (argument << 56);
}

/// Returns the key of members at an offset, whoever owns them.
constexpr std::uint64_t member_key(std::uint64_t offset) {
  return offset ^ std::uint64_t{1} << 61;
}

/// A number in memory that was computed from the compute capability.
struct Stored {
  Value value;  ///< unknown where the code stores several numbers
  unsigned bytes = 0;
};

/// Keys of knowledge that an evaluation looked up; sorted once it has ended.
struct Lookups {
  std::vector<std::uint64_t> property_getters;  ///< those that were known
  std::vector<std::uint64_t> missed;            ///< all keys that gave no value
};

/// Values that the host code keeps about one GPU.
struct Knowledge {
  Gpu gpu;
  std::unordered_map<std::uint64_t, Value> getters;    ///< functions that return a number
  std::unordered_set<std::uint64_t> property_getters;  ///< those that return a cudaDeviceProp
  std::unordered_map<std::uint64_t, Stored> globals;
  /// Members by the function that stores them, or by the opaque value that they belong to, and by
  /// their offset. owner_of() returns the key of functions that store them behind an argument.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Stored> members;
  std::unordered_set<std::uint64_t> member_owners;  ///< the first keys of `members`
  /// Places of a cudaDeviceProp behind the start of an object that a function fills in, as a
  /// constructor does. Not of objects that begin with one.
  std::unordered_set<std::uint64_t> property_offsets;
  /// Addresses of the getters and globals, and member_key() of the members.
  std::unordered_set<std::uint64_t> keys;
  /// Calls between a function and one that queries the compute capability, at most `kFar`.
  std::vector<std::uint8_t> distances;
  bool is_complete = false;  ///< false where a limit was exceeded

  [[nodiscard]] Value major() const { return capability(gpu.major); }
  [[nodiscard]] Value minor() const { return capability(gpu.minor); }

  /// Returns the cudaDeviceProp to which a pointer leads that code loaded and moved, or `pointer`.
  [[nodiscard]] Value properties_at(const Value& pointer) const;

  /// Adds a function that returns a number or a cudaDeviceProp; reports whether it is new.
  bool add_getter(std::uint64_t function, const Value& result);
  bool add_property_getter(std::uint64_t function);
  void store_global(std::uint64_t address, unsigned bytes, const Value& value);
  void store_member(std::uint64_t owner, std::uint64_t offset, unsigned bytes, const Value& value);
  [[nodiscard]] Value global(std::uint64_t address, unsigned bytes) const;
  /// Returns a member of what the function or place `owner` returned or held.
  [[nodiscard]] Value member(const Program& program, std::uint64_t owner, std::uint64_t offset,
                             unsigned bytes) const;
  /// Reports whether these lookups give the same answers as when they were noted.
  [[nodiscard]] bool agrees(const Lookups& lookups) const;

 private:
  static Value capability(int part) { return number(static_cast<std::uint64_t>(part), true); }
};

constexpr std::uint8_t kFar = 4;

/// Computes `distances` from the functions that the other members name.
void measure_distances(const Program& program, Knowledge& knowledge);

}  // namespace archgrid::launches

#endif
