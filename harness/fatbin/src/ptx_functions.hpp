// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_FUNCTIONS_HPP
#define ARCHGRID_FATBIN_PTX_FUNCTIONS_HPP

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "body.hpp"

namespace archgrid::fatbin {

/// The device functions of a PTX module, to follow calls of them.
class PtxFunctions {
 public:
  /// `text` is the module without comments and strings. Functions are searched for at the first
  /// call.
  explicit PtxFunctions(std::string text) : text_(std::move(text)) {}

  /// Returns the combined effects of functions.
  CallEffects follow(const std::vector<std::string_view>& names);

 private:
  void find_bodies();
  CallEffects effects_of(std::string_view name);

  std::string text_;
  bool found_ = false;
  std::unordered_map<std::string_view, std::string_view> bodies_;  // by name
  std::unordered_map<std::string_view, CallEffects> effects_;      // by name
  std::vector<std::string_view> followed_;                         // call chain of the entry
};

/// Names that a module needs from other code, and names that it defines for other code.
struct PtxExternals {
  std::vector<std::string> undefined;
  std::vector<std::string> defined;
};

/// Returns the externals of a module. `text` may have comments. Mostly it has no such declarations,
/// and is searched once.
PtxExternals externals_of(std::string_view text);

}  // namespace archgrid::fatbin

#endif
