// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/coverage/reason.hpp>
#include <functional>
#include <initializer_list>
#include <tuple>

namespace archgrid::coverage {
namespace {

const ReasonDetail& detail_of(const Reason& reason) {
  static const ReasonDetail kNone;
  return reason.detail ? *reason.detail : kNone;
}

auto tied(const Reason& reason) {
  return std::tie(reason.why, reason.kind, reason.body, reason.is_of_one_link, reason.arch.number,
                  reason.arch.suffix, reason.objects, reason.picked_from, reason.implementations);
}

auto tied(const ReasonDetail& detail) {
  const auto* driver = detail.driver ? &*detail.driver : nullptr;
  return std::make_tuple(std::cref(detail.text), std::cref(detail.object), driver != nullptr,
                         driver != nullptr ? driver->name : std::string(),
                         driver != nullptr ? driver->ptx_isa : Version{});
}

}  // namespace

bool operator==(const Reason& left, const Reason& right) {
  if (tied(left) != tied(right)) return false;
  return left.detail == right.detail || tied(detail_of(left)) == tied(detail_of(right));
}

bool operator<(const Reason& left, const Reason& right) {
  if (tied(left) != tied(right)) return tied(left) < tied(right);
  if (left.detail == right.detail) return false;
  return tied(detail_of(left)) < tied(detail_of(right));
}

std::size_t hash_of(const Reason& reason) {
  constexpr std::size_t kFactor = 0x9e3779b97f4a7c15U;
  std::size_t hash = 0;
  const auto number = static_cast<std::size_t>(reason.arch.number);
  for (const std::size_t part :
       {static_cast<std::size_t>(reason.why), static_cast<std::size_t>(reason.kind),
        static_cast<std::size_t>(reason.body), static_cast<std::size_t>(reason.is_of_one_link),
        number, static_cast<std::size_t>(reason.arch.suffix), std::size_t{reason.objects},
        std::size_t{reason.picked_from}, std::size_t{reason.implementations},
        std::hash<std::string>()(detail_of(reason).text)}) {
    hash = (hash ^ part) * kFactor;
  }
  return hash;
}

}  // namespace archgrid::coverage
