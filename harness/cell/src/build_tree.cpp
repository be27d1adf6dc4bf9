// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <archgrid/mapped_file.hpp>
#include <fstream>
#include <stdexcept>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot open", path.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The outputs of a "build" line of Ninja, unescaped.
std::vector<std::string> outputs_of(std::string_view line) {
  std::vector<std::string> outputs(1);
  for (std::size_t at = 0; at < line.size() && line[at] != ':'; ++at) {
    if (line[at] == '$' && at + 1 < line.size()) {
      outputs.back() += line[++at];
    } else if (line[at] == ' ' || line[at] == '|') {
      outputs.emplace_back();
    } else {
      outputs.back() += line[at];
    }
  }
  return outputs;
}

/// Whether a custom command puts prebuilt files in place and compiles nothing.
bool merely_copies(std::string_view command) {
  if (command.find("nvcc") != std::string_view::npos) return false;
  for (const auto* copy : {" -E copy", " -E create_", " -E rename", " cp ", " ln "}) {
    if (command.find(copy) != std::string_view::npos) return true;
  }
  return false;
}

bool may_hold_device_code(std::string_view output) {
  for (const auto* suffix : {".o", ".obj", ".cubin", ".ptx", ".fatbin"}) {
    if (ends_with(output, suffix)) return true;
  }
  return false;
}

/// What the build makes and may hold device code, each once.
std::set<std::string> interesting_outputs(const fs::path& build) {
  const auto text = read_text(build / "build.ninja");
  std::set<std::string> outputs;
  std::vector<std::string> current;
  const auto keep = [&] {
    for (auto& output : current) {
      if (may_hold_device_code(output)) outputs.insert(std::move(output));
    }
    current.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (starts_with(line, "build ")) {
      keep();
      current = outputs_of(line.substr(6));
    } else if (starts_with(line, "  COMMAND = ") && merely_copies(line)) {
      current.clear();
    }
  }
  keep();
  return outputs;
}

std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

/// Device code of an object that is not from nvcc is data: a prebuilt cubin in an array, say.
bool is_from_nvcc(const fatbin::File& file, const fatbin::Image& image) {
  if (file.format != "object") return true;
  return image.section == ".nv_fatbin" || image.section == "__nv_relfatbin";
}

std::vector<Code> code_of(const fatbin::File& file, std::string_view bytes) {
  std::vector<Code> code;
  for (const auto& image : file.images) {
    if (!is_from_nvcc(file, image)) continue;
    const auto stored = bytes.substr(std::min<std::size_t>(image.offset, bytes.size()));
    code.push_back({image.kind, image.arch, image.toolkit,
                    // PTX outside a fat binary may be written by hand, for any ISA.
                    image.section.empty() ? std::string() : image.ptx_isa,
                    hash_of(stored.substr(0, image.stored))});
  }
  return code;
}

}  // namespace

std::vector<Unit> compiled_units(const fs::path& build) {
  std::vector<Unit> units;
  for (const auto& output : interesting_outputs(build)) {
    const auto path = build / output;  // stays as it is where the output is absolute
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) continue;
    const fatbin::MappedFile mapped(path);
    const auto file = fatbin::read_bytes(mapped.bytes(), output, fatbin::Detail::names);
    Unit unit;
    unit.output = output;
    unit.target = target_of(output);
    unit.code = code_of(file, mapped.bytes());
    if (!unit.code.empty()) units.push_back(std::move(unit));
  }
  return units;
}

std::string fingerprint(const std::vector<Unit>& units) {
  std::vector<std::string> lines;
  for (const auto& unit : units) {
    for (const auto& code : unit.code) {
      lines.push_back(
          fmt::format("{} {} {:016x}\n", fatbin::name_of(code.kind), code.arch.text(), code.hash));
    }
  }
  if (lines.empty()) return {};
  std::sort(lines.begin(), lines.end());
  auto hash = hash_of({});
  for (const auto& line : lines) hash = hash_of(line, hash);
  return fmt::format("{:016x}", hash);
}

Cache read_cache(const fs::path& file) {
  Cache cache;
  for (const auto& line : split(read_text(file), "\n")) {
    const auto colon = line.find(':');
    const auto equals = line.find('=', std::min(colon, line.size()));
    if (line[0] == '#' || line[0] == '/' || colon == std::string::npos ||
        equals == std::string::npos) {
      continue;
    }
    if (line.substr(colon + 1, equals - colon - 1) == "STATIC") continue;
    cache[line.substr(0, colon)] = line.substr(equals + 1);
  }
  return cache;
}

}  // namespace archgrid::cell
