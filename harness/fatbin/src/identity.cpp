// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "identity.hpp"

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <map>
#include <vector>

#include "bytes.hpp"
#include "code_link.hpp"
#include "ptx_identity.hpp"

namespace archgrid::fatbin {
namespace {

// Decompressed bytes of the cubins of one device link. Kernels of larger ones have no identity.
constexpr std::uint64_t kMaxLink = std::uint64_t{1} << 30;

using Images = std::vector<std::size_t>;  ///< by index

/// The images whose kernels get identities together.
struct Group {
  std::string arch;
  Images parts;   ///< cubins that together have the code
  Images linked;  ///< what the device linker made of them
  bool is_wanted = false;
};

/// Sets the identities that the link has, of kernels that have none.
void set_identities(CodeLink& link, const std::string& arch, Image& image) {
  for (auto& kernel : image.kernels) {
    if (kernel.identity.empty()) kernel.identity = link.identity(kernel.name, arch);
  }
}

/// Reads a cubin of its own: one that is linked, or the only one.
void read_alone(std::string_view bytes, Image& image) {
  CodeLink link;
  link.add(content_of(bytes, image));
  set_identities(link, image.arch.text(), image);
}

/// Reads the parts of a device link. What they lack is read from the linked image.
void read_link(std::string_view bytes, const Group& group, File& file) {
  CodeLink link;
  std::uint64_t size = 0;
  for (const auto part : group.parts) size += file.images[part].decompressed_bytes;
  if (size > kMaxLink) return;
  for (const auto part : group.parts) link.add(content_of(bytes, file.images[part]));
  for (const auto part : group.parts) set_identities(link, group.arch, file.images[part]);
  for (const auto linked : group.linked) set_identities(link, group.arch, file.images[linked]);
}

bool lacks_identities(const Image& image) {
  return std::any_of(image.kernels.begin(), image.kernels.end(),
                     [](const Kernel& kernel) { return kernel.identity.empty(); });
}

void read_ptx(std::string_view bytes, Image& image) {
  const auto content = content_of(bytes, image);
  PtxIdentity module(content);
  for (auto& kernel : image.kernels) {
    kernel.identity = module.identity(kernel.name, image.arch.text());
  }
}

/// Calls `read`. Damage beyond the part that was read before leaves kernels without identity.
template <typename Read>
void read_if_whole(const Read& read) {
  try {
    read();
  } catch (const Unreadable&) {
    return;
  }
}

}  // namespace

void find_identities(std::string_view bytes, const std::function<bool(const Image&)>& is_wanted,
                     File& file) {
  std::map<std::string, Group> links;
  Images alone;
  for (std::size_t index = 0; index < file.images.size(); ++index) {
    const auto& image = file.images[index];
    const auto& module = file.modules[image.module];
    if (!image.error.empty() || image.kernels.empty()) {
      // A part without kernels has functions that others call.
      if (!image.error.empty() || image.kind != Kind::sass || !module.relocatable) continue;
    }
    if (image.kind == Kind::sass && (module.relocatable || module.linked)) {
      auto& group = links[image.arch.text()];
      group.arch = image.arch.text();
      group.is_wanted = group.is_wanted || is_wanted(image);
      (module.relocatable ? group.parts : group.linked).push_back(index);
    } else if ((image.kind == Kind::sass || image.kind == Kind::ptx) && is_wanted(image)) {
      alone.push_back(index);
    }
  }
  for (const auto& link : links) {
    const auto& group = link.second;
    if (!group.is_wanted) continue;
    read_if_whole([&] { read_link(bytes, group, file); });
    for (const auto linked : group.linked) {
      if (lacks_identities(file.images[linked])) alone.push_back(linked);
    }
  }
  parallel_for(alone.size(), [&](std::size_t at, std::size_t) {
    auto& image = file.images[alone[at]];
    read_if_whole(
        [&] { image.kind == Kind::ptx ? read_ptx(bytes, image) : read_alone(bytes, image); });
  });
}

}  // namespace archgrid::fatbin
