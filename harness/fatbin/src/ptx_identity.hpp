// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_PTX_IDENTITY_HPP
#define ARCHGRID_FATBIN_PTX_IDENTITY_HPP

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "identity_text.hpp"

namespace archgrid::fatbin {

/// The functions and variables of a PTX module, which outlives it.
class PtxIdentity {
 public:
  explicit PtxIdentity(std::string_view text);

  /// Returns Kernel::identity of a kernel for an arch ("90a"); an empty string if the module does
  /// not define it. Throws Unreadable.
  std::string identity(std::string_view kernel, std::string_view arch);

 private:
  using Tokens = std::vector<std::string_view>;

  struct Item {
    std::string hash;
    std::vector<std::size_t> targets;  ///< statements, in the order of the references
  };

  const Item& item(std::size_t statement);

  std::uint64_t references_ = kMaxReferences;
  std::string_view isa_;
  std::vector<Tokens> statements_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::map<std::size_t, Item> items_;
};

}  // namespace archgrid::fatbin

#endif
