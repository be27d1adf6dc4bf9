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
  /// Throws Unreadable.
  explicit PtxIdentity(std::string_view text);

  /// Returns Kernel::identity of a kernel for an arch ("90a"); an empty string if the module does
  /// not define it, if it reaches what other code defines, or if the module has what compilers do
  /// not write. Throws Unreadable.
  std::string identity(std::string_view kernel, std::string_view arch);

 private:
  struct Item {
    std::string hash;
    std::vector<std::size_t> targets;  ///< statements, in the order of the references
    bool is_unknown = false;           ///< other code defines it
    bool calls_any = false;            ///< calls a function by its address
  };

  using Tokens = std::vector<std::string_view>;

  void add_statement(std::string_view text, const Tokens& tokens, bool is_definition);
  const Item& item(std::size_t statement);
  const std::string& hash_of_all();

  std::uint64_t references_ = kMaxReferences;
  std::string module_;                        ///< version, target, and statements without a name
  bool is_unusual_ = false;                   ///< has what compilers do not write
  std::vector<std::string_view> statements_;  ///< with a name
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::map<std::size_t, Item> items_;
  std::string hash_of_all_;  ///< of all functions and variables; empty if not computed
};

}  // namespace archgrid::fatbin

#endif
