// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The driver's choice among the images of one module.
#ifndef ARCHGRID_COVERAGE_IMAGE_CHOICE_HPP
#define ARCHGRID_COVERAGE_IMAGE_CHOICE_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <functional>
#include <vector>

namespace archgrid::coverage {

using ModuleImages = std::vector<const fatbin::Image*>;

bool is_sure_to_load(const fatbin::Image& image, ComputeCapability device);

/// Reports whether the image is LTO-IR that reaches the device, or of a kind that is not read.
bool is_opaque(const fatbin::Image& image, ComputeCapability device);

/// The images of a module that may serve a device: the driver's choice of each kind.
struct Candidates {
  const fatbin::Image* sure = nullptr;      ///< machine code that loads
  const fatbin::Image* unsure = nullptr;    ///< machine code that may load
  const fatbin::Image* ptx = nullptr;       ///< PTX that reaches the device
  const fatbin::Image* opaque = nullptr;    ///< LTO-IR and kinds that are not read
  const fatbin::Image* suffixed = nullptr;  ///< would fit without its suffix
};

/// Returns the candidates for a kernel. `has` reports whether an image contains it, and is called
/// only if that matters; without `has` every image does.
Candidates choose_candidates(const ModuleImages& images, ComputeCapability device,
                             const std::function<bool(const fatbin::Image&)>& has = {});

/// The driver's input from one object of a device link: its machine code for the device, else PTX.
struct LinkInput {
  const fatbin::Image* image = nullptr;
  const fatbin::Image* opaque = nullptr;  ///< may serve if there is no such image
};

LinkInput choose_for_link(const ModuleImages& images, ComputeCapability device);

}  // namespace archgrid::coverage

#endif
