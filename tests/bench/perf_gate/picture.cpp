// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <fmt/format.h>

#include <array>

namespace archgrid::simulation {
namespace {

constexpr double kWidth = 340;
constexpr double kHeight = 220;
constexpr double kLeft = 52;
constexpr double kTop = 40;
constexpr double kStepX = kWidth + 70;
constexpr double kStepY = kHeight + 76;
constexpr double kLegendLine = 18;
constexpr std::size_t kColumns = 2;
// Colours that colour-blind readers can distinguish (Okabe and Ito), combined with dashes.
constexpr std::array<const char*, 8> kColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#d55e00", "#000000", "#7f7f7f"};
constexpr std::array<const char*, 8> kDashes = {"", "", "6 3", "6 3", "2 3", "2 3", "", "6 3"};

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}

double y_of(double share) {
  return kHeight * (1 - share);
}

std::string axes(double most) {
  std::string svg;
  for (const int share : {0, 25, 50, 75, 95, 100}) {
    const double y = y_of(share / 100.0);
    svg += line(0, y, kWidth, y, share == 95 ? "#999" : "#ddd");
    svg += text(-6,
                y + (share == 95    ? 8
                     : share == 100 ? 1
                                    : 4),
                "end", fmt::format("{} %", share));
  }
  for (int percent = 0; percent <= static_cast<int>(most * 100 + 0.5); ++percent) {
    const double x = kWidth * percent / 100.0 / most;
    svg += line(x, 0, x, kHeight, percent == 2 ? "#999" : "#eee");
    svg += text(x, kHeight + 16, "middle", fmt::format("{} %", percent));
  }
  return svg + text(kWidth / 2, kHeight + 32, "middle", "slowdown of the new build");
}

std::string stroke(std::size_t index) {
  return fmt::format("fill=\"none\" stroke-width=\"2\" stroke=\"{}\" stroke-dasharray=\"{}\"",
                     kColours[index % kColours.size()], kDashes[index % kDashes.size()]);
}

std::string curve(const Curve& data, std::size_t index, const std::vector<double>& slowdowns) {
  std::string points;
  for (std::size_t i = 0; i < slowdowns.size(); ++i) {
    points += fmt::format("{:.1f},{:.1f} ", kWidth * slowdowns[i] / slowdowns.back(),
                          y_of(data.shares[i]));
  }
  return fmt::format("<polyline points=\"{}\" {}/>\n", points, stroke(index));
}

std::string panel(const Panel& data, std::size_t index, const std::vector<double>& slowdowns) {
  auto svg = fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n",
                         kLeft + kStepX * static_cast<double>(index % kColumns),
                         kTop + kStepY * static_cast<double>(index / kColumns));
  svg += fmt::format("<text x=\"0\" y=\"-12\" font-weight=\"bold\">{}</text>\n", data.title);
  svg += axes(slowdowns.back());
  for (std::size_t i = 0; i < data.curves.size(); ++i) {
    svg += curve(data.curves[i], i, slowdowns);
  }
  return svg + "</g>\n";
}

std::string legend(const std::vector<Curve>& curves, double top) {
  std::string svg;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const double x = kLeft + kStepX * static_cast<double>(i % kColumns);
    const double y = top + kLegendLine * static_cast<double>(i / kColumns);
    svg += fmt::format("<path d=\"M{:.0f} {:.0f}h36\" {}/>\n", x, y - 4, stroke(i));
    svg += text(x + 44, y, "start", curves[i].name);
  }
  return svg;
}

}  // namespace

std::string picture_of(const std::vector<Panel>& panels, const std::vector<double>& slowdowns) {
  const auto rows = static_cast<double>((panels.size() + kColumns - 1) / kColumns);
  const auto& curves = panels.front().curves;
  const double legend_top = kTop + kStepY * rows;
  const double height = legend_top + kLegendLine * static_cast<double>(curves.size() + 1) / 2 + 6;
  const double width = kLeft + kStepX * kColumns;
  auto svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>How often each rule calls a build slower</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  for (std::size_t i = 0; i < panels.size(); ++i) svg += panel(panels[i], i, slowdowns);
  return svg + legend(curves, legend_top) + "</svg>\n";
}

}  // namespace archgrid::simulation
