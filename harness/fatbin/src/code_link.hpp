// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CODE_LINK_HPP
#define ARCHGRID_FATBIN_CODE_LINK_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "elf.hpp"
#include "identity_text.hpp"

namespace archgrid::fatbin {

/// The cubins of one device link, or one linked cubin: kernels, and the functions and variables
/// that they reach.
class CodeLink {
 public:
  CodeLink();
  CodeLink(const CodeLink&) = delete;
  CodeLink& operator=(const CodeLink&) = delete;
  ~CodeLink();

  /// Adds a cubin. Throws Unreadable.
  void add(std::string cubin);

  /// Returns the sum of the cubins' sizes, in bytes.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  /// Returns Kernel::identity of a kernel for an arch ("90a"); an empty string if no cubin defines
  /// it, if relocatable code reaches what no cubin defines, or several define differently. Throws
  /// Unreadable.
  std::string identity(const std::string& kernel, std::string_view arch);

 private:
  struct Part;
  /// A symbol of a part: {index of the part, index of the symbol}.
  using Place = std::pair<std::size_t, std::uint32_t>;
  /// The content of one function or variable, without what it refers to.
  struct Item {
    std::string hash;
    std::vector<Place> targets;  ///< in the order of the references
    std::uint64_t bytes = 0;     ///< size of what was read
    bool is_unknown = false;     ///< relocatable code leaves it to others to define
    bool calls_any = false;      ///< calls a function whose address it computes
  };
  class ItemReader;

  std::optional<Place> definition(Place reference);
  bool are_same(Place left, Place right);
  const std::string& hash_of_all();
  const Item& item(Place place);

  std::vector<std::unique_ptr<Part>> parts_;
  std::uint64_t bytes_ = 0;
  std::uint64_t references_ = kMaxReferences;
  std::uint64_t read_ = 0;  ///< bytes of functions and variables read so far
  std::unordered_map<std::string, Place> kernels_;                   ///< by name
  std::unordered_map<std::string, std::vector<Place>> definitions_;  ///< global symbols by name
  std::map<Place, Item> items_;
  std::string hash_of_all_;  ///< of all functions and variables; empty if not computed
};

}  // namespace archgrid::fatbin

#endif
