// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes up files for tests.
#ifndef ARCHGRID_TESTS_FILES_HPP
#define ARCHGRID_TESTS_FILES_HPP

#include <archgrid/coverage.hpp>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::tests {

using fatbin::Body;
using fatbin::File;
using fatbin::Image;
using fatbin::Kind;
using fatbin::Module;

inline fatbin::Kernel kernel(std::string name, Body body = Body::code) {
  fatbin::Kernel result;
  result.name = std::move(name);
  result.body = body;
  result.stores = body == Body::code;
  result.named_by_host = true;
  return result;
}

/// Returns a kernel that host code never launches.
inline fatbin::Kernel unnamed(std::string name, Body body = Body::code) {
  auto result = kernel(std::move(name), body);
  result.named_by_host = false;
  return result;
}

/// Returns a kernel with calls that cannot be followed.
inline fatbin::Kernel kernel_that_may_store(std::string name) {
  auto result = kernel(std::move(name));
  result.may_store = true;
  return result;
}

/// Returns machine code for "90", "90a", with the kernel k by default.
inline Image sass(const std::string& arch, std::vector<fatbin::Kernel> kernels = {kernel("k")}) {
  Image image;
  image.kind = Kind::sass;
  image.arch = coverage::parse_arch(arch).value();
  image.kernels = std::move(kernels);
  return image;
}

inline Image ptx(const std::string& arch, const std::string& isa = "8.4",
                 std::vector<fatbin::Kernel> kernels = {kernel("k")}) {
  Image image = sass(arch, std::move(kernels));
  image.kind = Kind::ptx;
  image.ptx_isa = isa;
  return image;
}

inline Image lto(const std::string& arch) {
  Image image = sass(arch, {});
  image.kind = Kind::lto;
  return image;
}

inline Image unreadable(Image image) {
  image.kernels.clear();
  image.error = "the zstd frame is corrupt";
  return image;
}

/// Adds a registered module with these images.
inline Module& add_module(File& file, std::vector<Image> images) {
  Module module;
  module.index = file.modules.size();
  module.section = ".nv_fatbin";
  module.registered = true;
  for (auto& image : images) {
    image.module = module.index;
    file.images.push_back(std::move(image));
  }
  file.modules.push_back(module);
  return file.modules.back();
}

inline File file_of(std::vector<Image> images) {
  File file;
  file.path = "libx.so";
  add_module(file, std::move(images));
  return file;
}

/// Returns a file with `count` kernels in separate modules, each with these images.
inline File file_of_many(std::size_t count, const std::vector<Image>& images) {
  File file;
  file.path = "libmany.so";
  for (std::size_t index = 0; index < count; ++index) {
    auto own = images;
    for (auto& image : own) {
      for (auto& kernel : image.kernels) kernel.name += std::to_string(index);
    }
    add_module(file, std::move(own));
  }
  return file;
}

inline coverage::ComputeCapability device(const std::string& text) {
  return coverage::parse_device(text).value();
}

}  // namespace archgrid::tests

#endif
