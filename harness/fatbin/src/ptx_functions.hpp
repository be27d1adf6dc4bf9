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
  /// `text` is the module without comments and strings. Its functions are not looked for before
  /// one is called.
  explicit PtxFunctions(std::string text) : text_(std::move(text)) {}

  /// Returns what those functions do together.
  CallEffects follow(const std::vector<std::string_view>& names);

 private:
  void find_bodies();
  CallEffects effects_of(std::string_view name);

  std::string text_;
  bool found_ = false;
  std::unordered_map<std::string_view, std::string_view> bodies_;  // by name
  std::unordered_map<std::string_view, CallEffects> effects_;      // by name
  std::vector<std::string_view> followed_;                         // from the entry on
};

/// Names that a module needs of other code, and those that it offers.
struct PtxExternals {
  std::vector<std::string> undefined;
  std::vector<std::string> defined;
};

/// Returns the externals of a module. `text` may have comments. Mostly it has no declarations, and
/// is searched for them once.
PtxExternals externals_of(std::string_view text);

}  // namespace archgrid::fatbin

#endif
