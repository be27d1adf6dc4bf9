// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <algorithm>
#include <array>

namespace archgrid::launches {
namespace {

constexpr std::array<std::string_view, 2> kAttribute = {"cudaDeviceGetAttribute",
                                                        "cuDeviceGetAttribute"};
constexpr std::array<std::string_view, 2> kProperties = {"cudaGetDeviceProperties",
                                                         "cudaGetDeviceProperties_v2"};
// Parts of mangled names, of PyTorch and Paddle.
constexpr std::array<std::string_view, 3> kPropertyGetter = {
    "getCurrentDeviceProperties", "at4cuda19getDeviceProperties", "19GetDevicePropertiesE"};
constexpr std::array<std::string_view, 11> kNoReturn = {"__cxa_throw",
                                                        "__cxa_rethrow",
                                                        "_Unwind_Resume",
                                                        "__stack_chk_fail",
                                                        "abort",
                                                        "__assert_fail",
                                                        "_ZSt9terminatev",
                                                        "__cxa_bad_cast",
                                                        "exit",
                                                        "__cxa_throw_bad_array_new_length",
                                                        "__cxa_call_unexpected"};
constexpr std::array<std::string_view, 2> kNoReturnPart = {"torchCheckFail",
                                                           "torchInternalAssertFail"};

constexpr std::size_t kMaxName = 256;

template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Parts>
bool has_one_of(const Parts& parts, std::string_view name) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

bool is_throwing_helper(std::string_view name) {
  return name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos;
}

}  // namespace

Role role_of(std::string_view name) {
  if (name.size() > kMaxName) return Role::none;
  if (is_one_of(kAttribute, name)) return Role::attribute;
  if (is_one_of(kProperties, name)) return Role::properties;
  if (is_one_of(kNoReturn, name) || is_throwing_helper(name)) return Role::no_return;
  if (has_one_of(kPropertyGetter, name)) return Role::property_getter;
  if (has_one_of(kNoReturnPart, name)) return Role::no_return;
  return Role::none;
}

}  // namespace archgrid::launches
