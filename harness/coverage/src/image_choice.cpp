// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "image_choice.hpp"

#include <archgrid/coverage/load_rules.hpp>

namespace archgrid::coverage {

using fatbin::Image;
using fatbin::Kind;

namespace {

void keep_preferred(const Image*& kept, const Image& image) {
  if (kept == nullptr || load_priority(kept->arch) < load_priority(image.arch)) kept = &image;
}

// The driver loads the last of equally ranked PTX images, and the first of machine code: measured
// by bechirBOUALI/cuda-fatbin-precedence on one GPU.
void keep_preferred_or_last(const Image*& kept, const Image& image) {
  if (kept == nullptr || load_priority(kept->arch) <= load_priority(image.arch)) kept = &image;
}

}  // namespace

bool is_sure_to_load(const Image& image, ComputeCapability device) {
  return image.kind == Kind::sass && sass_loads(image.arch, device) == Loads::yes;
}

bool is_opaque(const Image& image, ComputeCapability device) {
  if (image.kind == Kind::sass || image.kind == Kind::ptx) return false;
  return image.kind != Kind::lto || ptx_reaches(image.arch, device);
}

Candidates choose_candidates(const ModuleImages& images, ComputeCapability device,
                             const std::function<bool(const Image&)>& has) {
  Candidates found;
  for (const auto* image : images) {
    const fatbin::Arch plain{image->arch.number, '\0'};
    const auto may_contain = [&] { return !has || !image->error.empty() || has(*image); };
    if (image->kind == Kind::sass) {
      const auto loads = sass_loads(image->arch, device);
      if (loads == Loads::yes) keep_preferred(found.sure, *image);
      if (loads == Loads::unsure && may_contain()) keep_preferred(found.unsure, *image);
      const bool fits_plain = loads == Loads::no && sass_loads(plain, device) == Loads::yes;
      if (fits_plain && may_contain()) keep_preferred(found.suffixed, *image);
    } else if (image->kind == Kind::ptx) {
      if (ptx_reaches(image->arch, device)) {
        keep_preferred_or_last(found.ptx, *image);
      } else if (ptx_reaches(plain, device) && may_contain()) {
        keep_preferred(found.suffixed, *image);
      }
    } else if (is_opaque(*image, device)) {
      found.opaque = image;
    }
  }
  return found;
}

LinkInput choose_for_link(const ModuleImages& images, ComputeCapability device) {
  const Image* sass = nullptr;
  const Image* ptx = nullptr;
  LinkInput chosen;
  for (const auto* image : images) {
    if (is_opaque(*image, device)) chosen.opaque = image;
    if (is_sure_to_load(*image, device)) keep_preferred(sass, *image);
    if (image->kind == Kind::ptx && ptx_reaches(image->arch, device)) {
      keep_preferred_or_last(ptx, *image);
    }
  }
  chosen.image = sass != nullptr ? sass : ptx;
  return chosen;
}

}  // namespace archgrid::coverage
