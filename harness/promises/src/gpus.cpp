// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/spelling.hpp>
#include <array>
#include <cctype>
#include <regex>

namespace archgrid::promises {
namespace {

/// Returns the device that "compute_80", "sm_90a" or "9" means; nothing if there is none.
std::optional<coverage::ComputeCapability> device_meant(const std::string& text) {
  const auto spelled = read_known_arch(text);
  if (!spelled) return coverage::parse_device(text + ".0");
  return coverage::table().find_architecture(spelled->arch.number)->device;
}

std::vector<std::string> split_at_dashes(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Reports whether all words of the text are words of the product: "RTX 6000" of "RTX 6000 Ada".
bool has_words(const std::string& product, const std::string& text) {
  const auto words = split_at_dashes(lower_case(product));
  const auto wanted = split_at_dashes(lower_case(text));
  return std::all_of(wanted.begin(), wanted.end(), [&words](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

/// Returns "8.9 (RTX 6000 Ada)", with up to two products whose names have the words of the text,
/// or else the first ones.
std::string text_with_products(const coverage::Architecture& gpu, const std::string& text) {
  constexpr std::size_t kMaxProducts = 2;
  std::vector<std::string> named;
  std::copy_if(gpu.products.begin(), gpu.products.end(), std::back_inserter(named),
               [&text](const std::string& product) { return has_words(product, text); });
  if (named.empty()) named = gpu.products;
  if (named.empty()) return gpu.device.text();
  named.resize(std::min(kMaxProducts, named.size()));
  return fmt::format("{} ({})", gpu.device.text(), fmt::join(named, ", "));
}

/// Reports whether the word, in lower case, may occur in a product's name: "nvidia", "sxm4",
/// "80gb", "laptop".
bool may_stand_in_name(const std::string& word) {
  static const std::regex form(
      "nvidia|tesla|geforce|quadro|grid|jetson|agx|gpu|laptop|mobile|ti|super|max|q|with|design|"
      "server|workstation|edition|generation|superchip|hgx|dgx|rtx|gtx|titan|pro|ada|blackwell|"
      "pcie[0-9]*|sxm[0-9]*|nvl[0-9]*|hbm[0-9]*e?|[0-9]{1,3}g?i?b?|[0-9]{1,3}[a-z]|d|x|black|"
      "(rtx|gtx)?[0-9]{3,4}[a-z]*");
  constexpr std::size_t kLongest = 16;
  return word.size() <= kLongest && std::regex_match(word, form);
}

/// Throws PromiseError for words that do not belong to the GPU's name: misplaced quotes would make
/// options part of the value.
void expect_name_alone(const std::string& text, coverage::ComputeCapability device) {
  const auto* gpu = coverage::table().find_architecture(device.number());
  std::string products;
  for (const auto& product : gpu->products) products += ' ' + lower_case(product);
  for (const auto& item : split_list({text})) {
    if (item.starts_with("--")) {
      throw PromiseError(
          fmt::format("\"{}\": {} is within the GPU's name: end the quotes before it", text, item));
    }
    for (auto word : split_at_dashes(lower_case(item))) {
      if (may_stand_in_name(word) || products.find(word) != std::string::npos) continue;
      if (!coverage::devices_named(word).empty()) {
        throw PromiseError(fmt::format(
            "\"{}\": write a comma between the names of several GPUs, as \"T4,RTX 5090\"", text));
      }
      throw PromiseError(
          fmt::format("\"{}\": \"{}\" belongs to no GPU's name: leave it out", text, word));
    }
  }
}

/// Throws PromiseError for the first word of a name that the shell has split.
void expect_whole_name(const std::string& text) {
  constexpr std::array<const char*, 8> kFirst = {"rtx",    "gtx",     "quadro", "tesla",
                                                 "jetson", "geforce", "nvidia", "titan"};
  const auto word = lower_case(text);
  if (std::find(kFirst.begin(), kFirst.end(), word) == kFirst.end()) return;
  throw PromiseError(
      fmt::format("\"{}\" is the beginning of a GPU's name: write the whole in quotes, as --gpu "
                  "\"RTX 4090\"",
                  text));
}

/// Returns the name of a product with the number of the text and another brand: "RTX 5090" for
/// "5090" and "GTX 5090"; empty if there is none.
std::string name_with_brand(const std::string& text) {
  std::string number;
  for (const auto& word : split_at_dashes(text)) {
    const auto lower = lower_case(word);
    if (lower == "nvidia" || lower == "geforce" || lower == "rtx" || lower == "gtx") continue;
    number += (number.empty() ? "" : " ") + word;
  }
  const bool is_number =
      !number.empty() && std::isdigit(static_cast<unsigned char>(number[0])) != 0;
  const bool has_dot = text.find('.') != std::string::npos;
  for (const char* brand : {"RTX ", "GTX "}) {
    if (is_number && !has_dot && coverage::devices_named(brand + number).size() == 1) {
      return brand + number;
    }
  }
  return {};
}

coverage::ComputeCapability parse_device(const std::string& text) {
  if (const auto device = read_device(text)) return *device;
  expect_whole_name(text);
  const auto named = coverage::devices_named(text);
  if (named.size() == 1) {
    const auto* gpu = coverage::table().find_architecture(named.front().number());
    if (lower_case(gpu->generation) != lower_case(text)) expect_name_alone(text, named.front());
    return named.front();
  }
  std::vector<std::string> known;
  for (const auto& gpu : coverage::table().architectures) {
    const bool is_named = std::find(named.begin(), named.end(), gpu.device) != named.end();
    if (is_named) known.push_back(text_with_products(gpu, text));
    if (named.empty()) known.push_back(gpu.device.text());
  }
  const auto words = split_list({text});
  const bool is_list =
      words.size() > 1 && std::all_of(words.begin(), words.end(), [](const std::string& word) {
        return coverage::devices_named(word).size() == 1;
      });
  if (is_list) {
    throw PromiseError(fmt::format("\"{}\" names several GPUs: write a comma between them: {}",
                                   text, fmt::join(words, ",")));
  }
  if (!named.empty()) {
    throw PromiseError(fmt::format("\"{}\" names several GPUs: write {}", text, either(known)));
  }
  const auto meant = device_meant(text);
  if (meant && !std::isdigit(static_cast<unsigned char>(text.front()))) return *meant;
  if (meant) {
    throw PromiseError(fmt::format("unknown GPU \"{}\": write {}", text, meant->text()));
  }
  if (const auto name = name_with_brand(text); !name.empty()) {
    throw PromiseError(fmt::format("unknown GPU \"{}\": write \"{}\"", text, name));
  }
  static const std::regex driver("[4-6][0-9]{2}([.][0-9]+)*");
  if (std::regex_match(text, driver)) {
    throw PromiseError(fmt::format("\"{}\" is a driver: write --driver {}", text, text));
  }
  throw PromiseError(fmt::format(
      "unknown GPU \"{}\": write a name, as H100 or RTX 4090, or its compute capability: {}", text,
      either(known)));
}

/// Throws PromiseError for compute capabilities beside a name: "8.0 H100" would lose one of the
/// two. The 50 of "RTX 50" belongs to the name.
void expect_one_name(const std::string& item, const std::vector<std::string>& words) {
  for (std::size_t index = 0; index < words.size(); ++index) {
    const auto brand = index == 0 ? std::string() : words[index - 1];
    const bool is_series = brand == "RTX" || brand == "rtx" || brand == "GTX" || brand == "gtx";
    if (!read_device(words[index]) || is_series) continue;
    throw PromiseError(fmt::format("\"{}\" has a GPU's name beside {}: write a comma between GPUs",
                                   item, words[index]));
  }
}

/// Reads one item of a list: a name, or compute capabilities separated by spaces.
std::vector<coverage::ComputeCapability> parse_item(const std::string& item) {
  const auto words = split_list({item});
  std::vector<coverage::ComputeCapability> devices;
  for (const auto& word : words) {
    if (const auto device = read_device(word)) devices.push_back(*device);
  }
  if (devices.size() == words.size()) return devices;
  if (words.size() > 1) expect_one_name(item, words);
  return {parse_device(item)};
}

}  // namespace

std::vector<coverage::ComputeCapability> read_gpus(const std::vector<std::string>& texts) {
  std::vector<coverage::ComputeCapability> devices;
  for (const auto& item : split_items(texts)) {
    const auto found = parse_item(item);
    devices.insert(devices.end(), found.begin(), found.end());
  }
  return devices;
}

std::map<coverage::ComputeCapability, std::string> names_of_gpus(
    const std::vector<std::string>& texts) {
  std::map<coverage::ComputeCapability, std::string> names;
  for (const auto& item : split_items(texts)) {
    const auto devices = parse_item(item);
    if (devices.size() != 1 || read_device(item)) continue;
    auto& name = names[devices.front()];
    name += (name.empty() ? "" : " / ") + item;
  }
  return names;
}

}  // namespace archgrid::promises
