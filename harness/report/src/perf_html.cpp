// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report/perf_page.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "escape.hpp"
#include "page/page.hpp"
#include "perf_figures.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr double kWidth = 1100;
constexpr double kLabels = 330;  ///< columns for names
constexpr double kRow = 24;
constexpr double kHistory = 150;
constexpr double kRoofline = 420;
constexpr double kMargin = 100;
constexpr std::size_t kPerfPageMaxName = 48;

std::string label(const std::string& text) {
  return xml_text(shortened(text, kPerfPageMaxName));
}

std::string text_at(double x, double y, const char* anchor, const std::string& escaped) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped);
}

std::string line_at(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1,
      y1, x2, y2);
}

std::string svg(double height, const std::string& title, const std::string& content) {
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", kWidth,
      height, xml_text(title), content);
}

/// A scale from values to positions between two ends.
struct Scale {
  double low;
  double high;
  double begin;
  double end;

  [[nodiscard]] double at(double value) const {
    return high > low ? begin + (end - begin) * (value - low) / (high - low) : (begin + end) / 2;
  }
};

Scale scale_of(const std::vector<BuildFigures>& figures, double begin, double end) {
  Scale scale{0, 0, begin, end};
  for (const auto& group : figures) {
    if (group.seconds.empty()) continue;
    scale.low = scale.low > 0 ? std::min(scale.low, group.lowest) : group.lowest;
    scale.high = std::max(scale.high, group.highest);
  }
  return scale;
}

std::string distribution(const BuildFigures& group, const Scale& x, double y) {
  auto text = text_at(0, y + 4, "start", label(group.build + ", " + group.day));
  if (group.seconds.empty()) {
    return text + text_at(kLabels, y + 4, "start",
                          count_text(group.left_out, "run") + " throttled or empty");
  }
  text += line_at("whisker", x.at(group.lowest), y, x.at(group.highest), y);
  text += fmt::format(
      "<rect class=\"box\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"12\"/>\n",
      x.at(group.quarter), y - 6, std::max(1.0, x.at(group.three_quarters) - x.at(group.quarter)));
  for (const double seconds : group.seconds) {
    text += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\"/>\n",
                        x.at(seconds), y);
  }
  return text + line_at("median", x.at(group.median), y - 8, x.at(group.median), y + 8);
}

std::string distributions(const std::vector<BuildFigures>& figures) {
  const auto x = scale_of(figures, kLabels, kWidth - 20);
  double y = kRow / 2;
  std::string content;
  for (const auto& group : figures) {
    content += distribution(group, x, y);
    y += kRow;
  }
  if (x.high > 0) {
    content += text_at(kLabels, y + 6, "start", perf::text_of_seconds(x.low));
    content += text_at(kWidth - 20, y + 6, "end", perf::text_of_seconds(x.high));
  }
  return svg(y + 16, "distribution of the runs' medians", content);
}

/// Draws a median and a range for each build and day; nothing for fewer than two.
std::string history(const std::vector<BuildFigures>& figures) {
  std::vector<BuildFigures> shown;
  std::copy_if(figures.begin(), figures.end(), std::back_inserter(shown),
               [](const auto& group) { return !group.seconds.empty(); });
  if (shown.size() < 2) return {};
  auto y = scale_of(shown, kHistory - 24, 10);
  const Scale x{0, static_cast<double>(shown.size() - 1), kMargin + 20, kWidth - 40};
  std::string content = text_at(0, y.at(y.high) + 4, "start", perf::text_of_seconds(y.high)) +
                        text_at(0, y.at(y.low) + 4, "start", perf::text_of_seconds(y.low));
  std::string points;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double place = x.at(static_cast<double>(i));
    content +=
        line_at("whisker", place, y.at(shown[i].quarter), place, y.at(shown[i].three_quarters));
    content += fmt::format(
        "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}</title></circle>\n",
        place, y.at(shown[i].median),
        xml_text(fmt::format("{}, {}: {}", shown[i].build, shown[i].day,
                             perf::text_of_seconds(shown[i].median))));
    points += fmt::format("{:.1f},{:.1f} ", place, y.at(shown[i].median));
  }
  content += fmt::format("<polyline class=\"trend\" points=\"{}\"/>\n", points);
  content += text_at(x.begin, kHistory - 4, "start", xml_text(shown.front().day));
  content += text_at(x.end, kHistory - 4, "end", xml_text(shown.back().day));
  return "<h3>History</h3>\n" + svg(kHistory, "history of the medians", content);
}

/// Both axes of a roofline; they are logarithmic.
struct Axes {
  Scale x;
  Scale y;

  [[nodiscard]] double x_of(double intensity) const { return x.at(std::log10(intensity)); }
  [[nodiscard]] double y_of(double flops) const { return y.at(std::log10(flops)); }
};

Axes axes_of(const std::vector<RooflinePoint>& points, const perf::Record& record) {
  Axes axes{{std::log10(points.front().intensity), std::log10(points.front().intensity), kMargin,
             kWidth - 200},
            {std::log10(points.front().flops_per_second),
             std::log10(points.front().flops_per_second), kRoofline - 36, 12}};
  const auto widen = [](Scale& scale, double value) {
    scale.low = std::min(scale.low, std::log10(value));
    scale.high = std::max(scale.high, std::log10(value));
  };
  for (const auto& point : points) {
    widen(axes.x, point.intensity);
    widen(axes.y, point.flops_per_second);
  }
  for (const auto& ceiling : record.ceilings) {
    if (ceiling.unit != "FLOP/s") continue;
    widen(axes.y, ceiling.per_second);
    for (const auto& memory : record.ceilings) {
      if (memory.unit == "B/s") widen(axes.x, ceiling.per_second / memory.per_second);
    }
  }
  for (auto* scale : {&axes.x, &axes.y}) {
    scale->low = std::floor(scale->low);
    scale->high = std::ceil(scale->high + 0.01);
  }
  return axes;
}

std::string grid(const Axes& axes) {
  std::string text;
  for (double power = axes.x.low; power <= axes.x.high; ++power) {
    text += line_at("axis", axes.x.at(power), axes.y.begin, axes.x.at(power), axes.y.end);
    text += text_at(axes.x.at(power), kRoofline - 20, "middle",
                    fmt::format("{:g}", std::pow(10, power)));
  }
  for (double power = axes.y.low; power <= axes.y.high; ++power) {
    text += line_at("axis", axes.x.begin, axes.y.at(power), axes.x.end, axes.y.at(power));
    text += text_at(kMargin - 6, axes.y.at(power) + 4, "end",
                    perf::text_of_rate(std::pow(10, power), "FLOP/s"));
  }
  return text +
         text_at((axes.x.begin + axes.x.end) / 2, kRoofline - 4, "middle", "operations a byte");
}

/// Texts of a picture, placed without overlap.
class Labels {
 public:
  /// Keeps texts away from a mark at this place.
  void keep_free(double x, double y) { taken_.push_back({x - 5, x + 5, y - 5, y + 5}); }

  /// Puts the text at the first free place and returns it; empty if no place is free.
  std::string at(const std::vector<std::pair<double, double>>& places, const std::string& text) {
    for (const auto& [x, y] : places) {
      const Box box{x, x + kLetter * static_cast<double>(text.size()), y - kAbove, y + kBelow};
      if (box.right > kWidth || box.top < 0 || box.bottom > kRoofline) continue;
      const auto covers = [&](const Box& other) {
        return box.left < other.right && other.left < box.right && box.top < other.bottom &&
               other.top < box.bottom;
      };
      if (std::any_of(taken_.begin(), taken_.end(), covers)) continue;
      taken_.push_back(box);
      return text_at(x, y, "start", xml_text(text));
    }
    return {};
  }

 private:
  struct Box {
    double left;
    double right;
    double top;
    double bottom;
  };
  // For 12 px of a sans-serif font: nearly as wide as its widest common letters.
  static constexpr double kLetter = 7;
  static constexpr double kAbove = 12;
  static constexpr double kBelow = 4;

  std::vector<Box> taken_;
};

std::string roof(const perf::Ceiling& ceiling, double highest, const Axes& axes, Labels& labels) {
  const auto name = fmt::format("{}: {}", fatbin::printable(ceiling.name),
                                perf::text_of_rate(ceiling.per_second, ceiling.unit));
  if (ceiling.unit == "FLOP/s") {
    const double y = axes.y_of(ceiling.per_second);
    const double right = axes.x.end + 6;
    return line_at("roof", axes.x.begin, y, axes.x.end, y) +
           labels.at({{right, y + 4}, {right, y + 20}, {right, y - 12}}, name);
  }
  // The slope begins at the edge of the picture, and ends at the highest roof.
  const double least =
      std::max(std::pow(10, axes.x.low), std::pow(10, axes.y.low) / ceiling.per_second);
  const double most = std::min(std::pow(10, axes.x.high), highest / ceiling.per_second);
  if (most <= least) return {};
  const double x = axes.x_of(least);
  const double y = axes.y_of(least * ceiling.per_second);
  const double end_x = axes.x_of(most);
  const double end_y = axes.y_of(most * ceiling.per_second);
  const double middle_x = (x + end_x) / 2;
  const double middle_y = (y + end_y) / 2;
  return line_at("roof", x, y, end_x, end_y) +
         labels.at({{middle_x + 10, middle_y + 12}, {middle_x + 10, middle_y + 28}}, name);
}

/// Returns the highest level roof, or the top of the picture if there is none.
double highest_roof(const perf::Record& record, const Axes& axes) {
  double highest = 0;
  for (const auto& ceiling : record.ceilings) {
    if (ceiling.unit == "FLOP/s") highest = std::max(highest, ceiling.per_second);
  }
  return highest > 0 ? highest : std::pow(10, axes.y.high);
}

std::string point_of(const RooflinePoint& point, const Axes& axes, Labels& labels) {
  const double x = axes.x_of(point.intensity);
  const double y = axes.y_of(point.flops_per_second);
  const auto rate = perf::text_of_rate(point.flops_per_second, "FLOP/s");
  auto text = fmt::format(
      "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}: {}</title></circle>\n",
      x, y, xml_text(point.name), rate);
  std::vector<std::pair<double, double>> places;
  for (const double below : {4.0, 20.0, -12.0, 36.0, -28.0}) places.emplace_back(x + 8, y + below);
  return text + labels.at(places, shortened(point.name, kPerfPageMaxName));
}

std::string roofline(const perf::Record& record) {
  const auto points = roofline_of(record);
  if (points.empty()) return {};
  const auto axes = axes_of(points, record);
  Labels labels;
  for (const auto& point : points) {
    labels.keep_free(axes.x_of(point.intensity), axes.y_of(point.flops_per_second));
  }
  auto content = grid(axes);
  const double highest = highest_roof(record, axes);
  for (const auto& ceiling : record.ceilings) content += roof(ceiling, highest, axes, labels);
  for (const auto& point : points) content += point_of(point, axes, labels);
  return "<section>\n<h3>Roofline</h3>\n<p>Of the latest build of each benchmark that tells its "
         "bytes and operations; the roofs are what was measured on the GPU.</p>\n" +
         svg(kRoofline, "roofline", content) + "</section>\n";
}

std::string benchmark_html(const perf::Benchmark& benchmark) {
  const auto figures = figures_of(benchmark);
  auto text = fmt::format("<section class=\"benchmark\">\n<h3>{} ({})</h3>\n",
                          xml_text(benchmark.name), perf::name_of(benchmark.cache));
  if (const auto latest = latest_of(figures)) {
    perf::Timing timing;
    timing.samples = static_cast<int>(latest->seconds.size());
    timing.minimum = latest->lowest;
    timing.median = latest->median;
    timing.maximum = latest->highest;
    text += fmt::format("<p>{}</p>\n", xml_text(perf::text_of(timing, benchmark.work)));
  } else {
    text += "<p>NO_DATA: no run measured anything</p>\n";
  }
  return text + distributions(figures) + history(figures) + "</section>\n";
}

}  // namespace

void perf_html(const std::vector<perf::Record>& records, std::string_view version,
               const Sink& sink) {
  sink(fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"generator\" content=\"archgrid {}\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>archgrid perf</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header><h1>archgrid perf</h1></header>\n<main>\n",
      base64_of_hex(page::perf_style_sha256), xml_text(version), page::perf_style));
  for (const auto& record : records) {
    sink(fmt::format("<h2>{}</h2>\n", xml_text(perf::text_of(record.key))));
    sink(roofline(record));
    for (const auto& benchmark : record.benchmarks) sink(benchmark_html(benchmark));
  }
  sink("</main>\n</body>\n</html>\n");
}

std::string perf_records_markdown(const std::vector<perf::Record>& records) {
  std::string text;
  for (const auto& record : records) {
    text += fmt::format("## {}\n\n", markdown_text(perf::text_of(record.key)));
    text +=
        "| benchmark | cache | build | day | runs | left out | lowest | median | highest | FLOP/s "
        "| "
        "B/s |\n|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for (const auto& benchmark : record.benchmarks) {
      for (const auto& group : figures_of(benchmark)) {
        const auto seconds = [&](double value) {
          return group.seconds.empty() ? std::string("-") : perf::text_of_seconds(value);
        };
        const auto rate = [&](double work, const char* unit) {
          return group.seconds.empty() || work <= 0 ? std::string("-")
                                                    : perf::text_of_rate(work / group.median, unit);
        };
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                            markdown_code(benchmark.name, true), perf::name_of(benchmark.cache),
                            markdown_code(group.build, true), group.day, group.seconds.size(),
                            group.left_out, seconds(group.lowest), seconds(group.median),
                            seconds(group.highest), rate(benchmark.work.flops, "FLOP/s"),
                            rate(benchmark.work.bytes, "B/s"));
      }
    }
    for (const auto& ceiling : record.ceilings) {
      text += fmt::format("\nceiling {}: {}\n", markdown_code(ceiling.name, false),
                          perf::text_of_rate(ceiling.per_second, ceiling.unit));
    }
    text += '\n';
  }
  return text;
}

}  // namespace archgrid::report
