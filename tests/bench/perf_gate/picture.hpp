// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_PERF_GATE_PICTURE_HPP
#define ARCHGRID_TESTS_PERF_GATE_PICTURE_HPP

#include <string>
#include <vector>

namespace archgrid::simulation {

struct Curve {
  std::string name;
  std::vector<double> shares;  ///< shares called slower, one per slowdown
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;  ///< the same noises in each panel
};

/// Draws the curves over the slowdowns as an SVG, two panels per row.
std::string picture_of(const std::vector<Panel>& panels, const std::vector<double>& slowdowns);

}  // namespace archgrid::simulation

#endif
