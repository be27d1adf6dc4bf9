// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/claims.hpp>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr std::string_view kVariant = ".dist-info/variant.json";
constexpr std::string_view kMetadata = ".dist-info/METADATA";
constexpr std::string_view kDistInfo = ".dist-info";
constexpr std::string_view kIndex = "info/index.json";
constexpr std::string_view kPython = ".py";
constexpr std::string_view kCuda = ".cu";
constexpr std::string_view kAtLeast = "\xe2\x89\xa5";  // the sign, in UTF-8

/// Reports whether Python code queries the compute capability of a GPU: torch.cuda's
/// get_device_capability(), or wrappers of vLLM and others.
bool asks_for_capability(std::string_view code) {
  constexpr std::array<std::string_view, 4> kWords = {
      "get_device_capability", "has_device_capability", "get_min_capability", "compute_capability"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return code.find(word) != std::string_view::npos;
  });
}

/// Converts "90_real" to "90-real"; returns an empty string for other values.
std::string arch_of(const std::string& value) {
  static const std::regex form("([1-9][0-9]{1,2}[af]?)_(real|virtual)");
  std::smatch match;
  if (!std::regex_match(value, match, form)) return {};
  return match[1].str() + '-' + match[2].str();
}

/// Reads the claim of a wheel, which has one variant.
Claim claim_of_variant(const json& document) {
  Claim claim;
  claim.source = "variant.json";
  for (const auto& [label, variant] : document.at("variants").get<std::map<std::string, json>>()) {
    const auto nvidia = variant.find("nvidia");
    if (nvidia == variant.end() || !nvidia->contains("sm_arch")) continue;
    for (const auto& value : nvidia->at("sm_arch")) {
      const auto arch = arch_of(value.get<std::string>());
      if (!arch.empty()) claim.archs.insert(arch);
    }
  }
  return claim;
}

Claim claim_of_index(const json& document) {
  static const std::regex form("(?:cuda-arch|__cuda_arch) >=([0-9]+\\.[0-9]+)(?:[, ][^|]*)?");
  Claim claim;
  claim.source = "index.json";
  for (const auto& dependency : document.at("depends")) {
    const auto text = dependency.get<std::string>();
    std::smatch match;
    constexpr std::size_t kLongest = 200;  // std::regex recurses
    if (text.size() > kLongest || !std::regex_match(text, match, form)) continue;
    const auto least = parse_device(match[1].str());
    if (least && (!claim.least || *claim.least < *least)) claim.least = least;
  }
  return claim;
}

/// Returns the words of a line in lower case up to a parenthesis: "gpu", "7.5", "7.5+", ">=".
std::vector<std::string> lower_words_of(std::string_view line) {
  constexpr std::string_view kSeparators = " \t\r,:;*`-";
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    while (!word.empty() && word.back() == '.') word.pop_back();
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (const char c : line.substr(0, line.find('('))) {
    if (kSeparators.find(c) != std::string_view::npos) {
      end_word();
      continue;
    }
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (word == ">=" || word == kAtLeast) end_word();
  }
  end_word();
  return words;
}

/// Returns 7.5 for "GPU: must be compute capability 7.5 or higher" and other lines that say what
/// the package needs. A line with any word that such lines do not have may be about a part of the
/// package ("FP8 features require ..."), or deny it.
std::optional<ComputeCapability> required_gpu(std::string_view line) {
  static const std::set<std::string> kSubject = {
      "a",        "an",          "and",          "any",      "at",        "be",       "card",
      "cards",    "cuda",        "device",       "devices",  "gpu",       "gpus",     "hardware",
      "have",     "is",          "it",           "least",    "library",   "minimum",  "must",
      "need",     "needed",      "needs",        "nvidia",   "of",        "package",  "require",
      "required", "requirement", "requirements", "requires", "supported", "supports", "that",
      "the",      "this",        "we",           "with",     "you",       "your"};
  const auto words = lower_words_of(line);
  std::size_t at = 0;
  while (at < words.size() && kSubject.count(words[at]) != 0) ++at;
  if (at + 2 >= words.size() || words[at] != "compute" || words[at + 1] != "capability") {
    return std::nullopt;
  }
  at += 2;
  const auto skip = [&](auto... options) {
    const bool is_there = at < words.size() && ((words[at] == options) || ...);
    if (is_there) ++at;
    return is_there;
  };
  skip("of");
  bool is_least = skip(">=", kAtLeast);
  if (at == words.size()) return std::nullopt;
  auto number = words[at++];
  if (number.back() == '+') {
    is_least = true;
    number.pop_back();
  }
  is_least = skip("+") || is_least;
  if (skip("or", "and")) is_least = skip("higher", "newer", "above", "later", "greater");
  if (!is_least || at != words.size() || number.find('.') == std::string::npos) {
    return std::nullopt;
  }
  return parse_device(number);
}

/// Returns "my-lib" for "My_Lib" (PEP 503).
std::string normalized_name(std::string_view name) {
  std::string normal;
  for (const char c : name) {
    const bool is_separator = c == '-' || c == '_' || c == '.';
    if (is_separator && !normal.empty() && normal.back() == '-') continue;
    normal += is_separator ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return normal;
}

/// Returns the name and the version of "torch[opt] (==2.3.0,>2) ; python_version > '3'"; nothing
/// without one exact version, or if only an extra needs the package.
std::optional<std::pair<std::string, std::string>> pin_of(const std::string& requirement) {
  static const std::regex form(
      R"(\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;()]*)\)?\s*(;.*)?)");
  static const std::regex exact(R"((?:^|,)\s*==\s*([0-9][0-9A-Za-z.+!_-]*)\s*(?:,|$))");
  std::smatch parts;
  std::smatch version;
  if (!std::regex_match(requirement, parts, form)) return std::nullopt;
  if (parts[3].str().find("extra") != std::string::npos) return std::nullopt;
  const auto clauses = parts[2].str();
  if (!std::regex_search(clauses, version, exact)) return std::nullopt;
  return std::pair(normalized_name(parts[1].str()), version[1].str());
}

}  // namespace

bool may_claim(std::string_view path) {
  const auto at = path.rfind('!');
  if (at == std::string_view::npos) {
    const bool is_in_folder = std::count(path.begin(), path.end(), '/') > 1;
    return path.ends_with(kPython) ||
           (is_in_folder && (path.ends_with(kVariant) || path.ends_with(kMetadata)));
  }
  const auto member = path.substr(at + 1);
  if (member.ends_with(kPython) || member.ends_with(kCuda)) return true;
  const bool is_at_top = std::count(member.begin(), member.end(), '/') == 1;
  return is_at_top &&
         (member == kIndex || member.ends_with(kVariant) || member.ends_with(kMetadata));
}

std::optional<Claim> read_claim(std::string_view path, std::string_view text) {
  try {
    const auto document = json::parse(text);
    auto claim = path.ends_with(kVariant) ? claim_of_variant(document) : claim_of_index(document);
    if (claim.archs.empty() && !claim.least) return std::nullopt;
    return claim;
  } catch (const json::exception&) {
    Claim unread;
    unread.source = path.ends_with(kVariant) ? "variant.json" : "index.json";
    unread.is_unread = true;
    return unread;
  }
}

std::optional<ComputeCapability> described_gpu(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  std::optional<ComputeCapability> oldest;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto gpu = end <= kLongest ? required_gpu(text.substr(0, end)) : std::nullopt;
    if (gpu && (!oldest || *gpu < *oldest)) oldest = gpu;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return oldest;
}

std::map<std::string, std::string> pinned_in(std::string_view metadata) {
  constexpr std::string_view kField = "Requires-Dist:";
  constexpr std::size_t kLongest = 400;  // std::regex recurses
  std::map<std::string, std::string> pins;
  std::set<std::string> ambiguous;
  while (!metadata.empty()) {
    const auto end = std::min(metadata.find('\n'), metadata.size());
    auto line = metadata.substr(0, end);
    metadata.remove_prefix(std::min(end + 1, metadata.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) break;  // the description follows
    if (!line.starts_with(kField) || line.size() > kLongest) continue;
    const auto pin = pin_of(std::string(line.substr(kField.size())));
    if (!pin) continue;
    const auto [known, is_new] = pins.insert(*pin);
    if (!is_new && known->second != pin->second) ambiguous.insert(pin->first);
  }
  for (const auto& name : ambiguous) pins.erase(name);
  return pins;
}

void add_claim(std::string_view path, std::string_view text, Claims& claims) {
  const bool is_in_folder = path.find('!') == std::string_view::npos;
  const auto end = path.rfind(is_in_folder ? '/' : '!');
  if (path.ends_with(kPython)) {
    if (asks_for_capability(text) && end != std::string_view::npos) {
      claims[std::string(path.substr(0, end))].python_checks = true;
    }
    return;
  }
  if (path.ends_with(kCuda)) {
    if (!is_in_folder) ++claims[std::string(path.substr(0, end))].cuda_sources;
    return;
  }
  if (path.ends_with(kMetadata)) {
    const auto gpu = described_gpu(text);
    auto pins = pinned_in(text);
    if (is_in_folder) claims.try_emplace(std::string(path.substr(0, end)));
    if (!pins.empty()) claims[std::string(path.substr(0, end))].pins = std::move(pins);
    if (!gpu) return;
    auto& described = claims[std::string(path.substr(0, end))].described;
    if (!described || *gpu < *described) described = gpu;
    return;
  }
  auto claim = read_claim(path, text);
  if (!claim) return;
  auto package = path.substr(0, end);
  // A conda package may be a zip archive of two tar archives.
  const auto outer = package.rfind('!');
  const bool is_part =
      outer != std::string_view::npos && package.substr(outer + 1).starts_with("info-");
  if (path.ends_with(kIndex) && is_part) package = package.substr(0, outer);
  auto& known = claims[std::string(package)];
  if (!known.source.empty()) return;
  claim->python_checks = known.python_checks;
  claim->cuda_sources = known.cuda_sources;
  claim->described = known.described;
  claim->pins = std::move(known.pins);
  known = std::move(*claim);
}

void settle_folders(Claims& claims) {
  std::map<std::string, std::vector<Claims::const_iterator>> infos;  // by folder
  for (auto claim = claims.cbegin(); claim != claims.cend(); ++claim) {
    const auto& path = claim->first;
    const bool is_in_folder = path.find('!') == std::string::npos;
    if (!is_in_folder || !path.ends_with(kDistInfo)) continue;
    infos[path.substr(0, path.rfind('/') + 1)].push_back(claim);
  }
  Claims settled;
  for (const auto& [folder, of_folder] : infos) {
    for (const auto& info : of_folder) {
      const auto name =
          info->first.substr(folder.size(), info->first.find('-', folder.size()) - folder.size());
      const bool is_only = of_folder.size() == 1;
      const auto package = is_only ? folder : folder + name + '/';
      auto claim = info->second;
      for (const auto& [path, other] : claims) {
        claim.python_checks |= other.python_checks && (path + '/').starts_with(package);
      }
      settled[package] = claim;
      if (!is_only) settled[folder + name + ".libs/"] = claim;
    }
  }
  claims.merge(settled);
}

const Claim* find_claim(const Claims& claims, std::string_view path) {
  const auto disk = path.substr(0, path.find('!'));
  for (auto end = path.rfind('!'); end != std::string_view::npos; end = path.rfind('!')) {
    path = path.substr(0, end);
    const auto found = claims.find(path);
    if (found != claims.end()) return &found->second;
  }
  for (auto end = disk.rfind('/'); end != std::string_view::npos && end > 0;
       end = disk.rfind('/', end - 1)) {
    const auto found = claims.find(disk.substr(0, end + 1));
    if (found != claims.end()) return &found->second;
  }
  return nullptr;
}

bool leaves_out(const Claim& claim, ComputeCapability device) {
  if (claim.least && device < *claim.least) return true;
  if (claim.archs.empty()) return false;
  const Verdicts any = {Verdict::native, Verdict::compatible, Verdict::jit};
  return std::none_of(claim.archs.begin(), claim.archs.end(),
                      [&](const std::string& arch) { return arch_serves(arch, device, any); });
}

std::set<ComputeCapability> named_by(const Claim& claim) {
  std::set<ComputeCapability> devices;
  if (claim.least) devices.insert(*claim.least);
  for (const auto& arch : claim.archs) {
    if (!arch.ends_with("-real")) continue;
    const auto number = parse_arch(std::string_view(arch).substr(0, arch.find('-')));
    const auto* row = number ? table().find_architecture(number->number) : nullptr;
    if (row != nullptr) devices.insert(row->device);
  }
  return devices;
}

}  // namespace archgrid::coverage
