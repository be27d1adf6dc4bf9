// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Prints how often the performance gate, a plain threshold and nvbench-compare's rules call a build
// with a known slowdown slower: perf_gate [--cases N] [--pairs N] [--seed N] [--svg FILE].
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "picture.hpp"
#include "simulation.hpp"

namespace {

using namespace archgrid::simulation;

struct Options {
  std::size_t cases = 10000;
  std::size_t pairs = 30;
  std::uint64_t seed = 1;
  std::string svg;
};

std::size_t number(const std::string& text) {
  std::size_t end = 0;
  const auto value = std::stoul(text, &end);
  if (end != text.size() || value == 0) throw std::invalid_argument(text + " is no number");
  return value;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(name + " needs a value");
    const std::string value = argv[i + 1];
    if (name == "--cases") {
      options.cases = number(value);
    } else if (name == "--pairs") {
      options.pairs = number(value);
    } else if (name == "--seed") {
      options.seed = number(value);
    } else if (name == "--svg") {
      options.svg = value;
    } else {
      throw std::invalid_argument(name + " is no option: use --cases, --pairs, --seed or --svg");
    }
  }
  return options;
}

/// A simulation with separate cases for each figure.
class Simulation {
 public:
  explicit Simulation(const Options& options) : options_(options), seed_(options.seed << 32U) {}

  Shares run(const Rule& rule, const Noise& noise, double slowdown) {
    const auto shares = shares_of(rule, noise, slowdown, options_.pairs, options_.cases, seed_);
    return shares;
  }
  void next_cases() { seed_ += options_.cases; }

 private:
  const Options& options_;
  std::uint64_t seed_;
};

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

constexpr double kSlowdown = 0.02;

void print_gate(Simulation& simulation, const std::vector<Noise>& noises) {
  const auto gate = rules().front();
  fmt::print(
      "| noise | slowdown | SLOWER | AMBIGUOUS | SAME | FASTER "
      "|\n|---|---:|---:|---:|---:|---:|\n");
  for (const auto& noise : noises) {
    for (const double slowdown : {0.0, kSlowdown}) {
      const auto shares = simulation.run(gate, noise, slowdown);
      simulation.next_cases();
      fmt::print("| {} | {:.0f} % | {} | {} | {} | {} |\n", noise.name, 100 * slowdown,
                 percent(shares.slower), percent(shares.ambiguous), percent(shares.same),
                 percent(shares.faster));
    }
  }
  fmt::print("\n");
}

/// Prints the results of all rules on the same runs.
void print_rules(Simulation& simulation, const std::vector<Noise>& noises) {
  fmt::print("| noise |");
  for (const auto& rule : rules()) fmt::print(" {} |", rule.name);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < rules().size(); ++i) fmt::print("---:|");
  fmt::print("\n");
  for (const auto& noise : noises) {
    fmt::print("| {} |", noise.name);
    for (const auto& rule : rules()) {
      const auto seen = simulation.run(rule, noise, kSlowdown).slower;
      const auto false_alarms = simulation.run(rule, noise, 0).slower;
      fmt::print(" {} / {} |", percent(seen), percent(false_alarms));
    }
    simulation.next_cases();
    fmt::print("\n");
  }
  fmt::print("\n");
}

void draw(Simulation& simulation, const std::string& path) {
  std::vector<double> slowdowns;
  for (int step = 0; step <= 10; ++step) slowdowns.push_back(step * 0.005);
  std::vector<Panel> panels;
  for (const auto& rule : rules()) {
    if (rule.name == "5 % on means") continue;
    Panel panel{rule.name, {}};
    for (const auto& noise : possible_noises()) {
      Curve curve{noise.name, {}};
      for (const double slowdown : slowdowns) {
        curve.shares.push_back(simulation.run(rule, noise, slowdown).slower);
      }
      panel.curves.push_back(std::move(curve));
    }
    panels.push_back(std::move(panel));
  }
  std::ofstream stream(path, std::ios::binary);
  stream << picture_of(panels, slowdowns);
  if (!stream.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto options = read_options(argc, argv);
    Simulation simulation(options);
    fmt::print("{} cases for each figure, {} interleaved pairs, seed {}\n\n", options.cases,
               options.pairs, options.seed);
    fmt::print("What the gate says where 2 % can be told from nothing:\n\n");
    print_gate(simulation, possible_noises());
    fmt::print("Where it cannot, or not by times alone:\n\n");
    print_gate(simulation, impossible_noises());
    fmt::print("Called slower at 2 % (wanted: 95 % or more) / at 0 % (wanted: less than 1 %):\n\n");
    print_rules(simulation, possible_noises());
    print_rules(simulation, impossible_noises());
    if (!options.svg.empty()) draw(simulation, options.svg);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "perf_gate: {}\n", error.what());
    return 2;
  }
}
