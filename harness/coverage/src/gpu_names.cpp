// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/table.hpp>
#include <cctype>
#include <utility>

namespace archgrid::coverage {
namespace {

using Words = std::vector<std::string>;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Splits a product name into lower-case words: "RTX4090" and "RTX 4090" have equal words.
Words words_of(std::string_view name) {
  Words words(1);
  for (const char c : name) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    const bool ends_series = is_digit(c) && (words.back() == "rtx" || words.back() == "gtx");
    if ((!is_word || ends_series) && !words.back().empty()) words.emplace_back();
    if (is_word) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Reports whether `model` belongs to `series`: "4090" and "4070ti" to "40", "1080" to "10xx".
/// Models end in 0, and the tens of RTX models begin at 5: "4000" is a workstation's.
bool is_model_of(std::string_view model, std::string_view series, std::string_view brand) {
  constexpr std::size_t kDigits = 4;
  if (brand != "rtx" && brand != "gtx") return false;
  if (series == "9xx") return model.size() == 3 && model[0] == '9' && is_digit(model[1]);
  if (series.size() < 2 || !is_digit(series[0]) || !is_digit(series[1])) return false;
  if (series.size() != 2 && series.substr(2) != "xx") return false;
  if (model.size() < kDigits || model.substr(0, 2) != series.substr(0, 2)) return false;
  if (model.size() > kDigits && is_digit(model[kDigits])) return false;
  const char least = brand == "rtx" ? '5' : '1';
  return model[2] >= least && model[2] <= '9' && model[3] == '0';
}

/// Counts the words of a product that a name contains, exactly and as models of a series. Returns
/// nothing if a word is missing.
std::optional<std::pair<std::size_t, std::size_t>> match(const Words& product, const Words& name) {
  std::size_t exact = 0;
  std::size_t models = 0;
  for (const auto& word : product) {
    if (std::find(name.begin(), name.end(), word) != name.end()) {
      ++exact;
    } else if (std::any_of(name.begin(), name.end(), [&](const std::string& model) {
                 return is_model_of(model, word, product.front());
               })) {
      ++models;
    } else {
      return std::nullopt;
    }
  }
  return std::make_pair(exact + models, exact);
}

void add(ComputeCapability device, std::vector<ComputeCapability>& devices) {
  if (devices.empty() || devices.back() != device) devices.push_back(device);
}

/// Returns the GPUs with a product whose words are all in the name; of these, the best matches.
std::vector<ComputeCapability> devices_with_product(const Words& name) {
  std::vector<ComputeCapability> devices;
  std::pair<std::size_t, std::size_t> best;
  for (const auto& gpu : table().architectures) {
    for (const auto& product : gpu.products) {
      const auto found = match(words_of(product), name);
      if (!found || *found < best) continue;
      if (best < *found) devices.clear();
      best = *found;
      add(gpu.device, devices);
    }
  }
  return devices;
}

/// Returns the GPUs with a product that contains all words of the name: "Orin" is in "Jetson Orin".
std::vector<ComputeCapability> devices_with_words(const Words& name) {
  std::vector<ComputeCapability> devices;
  for (const auto& gpu : table().architectures) {
    for (const auto& product : gpu.products) {
      if (match(name, words_of(product))) add(gpu.device, devices);
    }
  }
  return devices;
}

/// Returns the GPUs of a generation: "Hopper".
std::vector<ComputeCapability> devices_of_generation(const Words& name) {
  std::vector<ComputeCapability> devices;
  for (const auto& gpu : table().architectures) {
    if (words_of(gpu.generation) == name) add(gpu.device, devices);
  }
  return devices;
}

}  // namespace

std::vector<ComputeCapability> devices_named(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (std::none_of(name.begin(), name.end(), is_letter)) return {};  // "30" is not RTX 30
  const auto words = words_of(name);
  if (auto generation = devices_of_generation(words); !generation.empty()) return generation;
  auto devices = devices_with_product(words);
  return devices.empty() ? devices_with_words(words) : devices;
}

}  // namespace archgrid::coverage
