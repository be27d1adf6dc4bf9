// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "build_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/archive.hpp>
#include <archgrid/cell.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "prebuilt.hpp"
#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot open", path.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Returns the outputs of a "build" line of Ninja, unescaped.
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

/// Returns `text` without Ninja's escapes: "a$ b" becomes "a b".
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '$' && at + 1 < text.size()) ++at;
    plain += text[at];
  }
  return plain;
}

bool may_hold_device_code(std::string_view output) {
  for (const auto* suffix : {".o", ".obj", ".cubin", ".ptx", ".fatbin"}) {
    if (ends_with(output, suffix)) return true;
  }
  return false;
}

/// The files of one command of the build.
struct Edge {
  std::vector<std::string> outputs;
  bool copies = false;  ///< copies files and compiles nothing
};

std::vector<Edge> edges_of(const fs::path& build) {
  constexpr std::string_view kCommand = "  COMMAND = ";
  const auto text = read_text(build / "build.ninja");
  std::vector<Edge> edges;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (starts_with(line, "build ")) {
      edges.push_back({outputs_of(line.substr(6))});
    } else if (starts_with(line, kCommand) && !edges.empty()) {
      edges.back().copies = merely_copy(parse_commands(line.substr(kCommand.size())));
    }
  }
  return edges;
}

/// Lists the outputs of the build that may contain device code, each once.
std::set<std::string> interesting_outputs(const std::vector<Edge>& edges) {
  std::set<std::string> outputs;
  for (const auto& edge : edges) {
    if (edge.copies) continue;
    std::copy_if(edge.outputs.begin(), edge.outputs.end(), std::inserter(outputs, outputs.end()),
                 may_hold_device_code);
  }
  return outputs;
}

std::set<std::string> all_outputs(const std::vector<Edge>& edges) {
  std::set<std::string> outputs;
  for (const auto& edge : edges) outputs.insert(edge.outputs.begin(), edge.outputs.end());
  return outputs;
}

/// Reports whether nvcc made the image. Other device code in a host binary is data, such as a
/// prebuilt cubin in an array.
bool is_from_nvcc(const fatbin::File& file, const fatbin::Image& image) {
  if (file.format == "cubin" || file.format == "fatbin" || file.format == "ptx") return true;
  return image.section == ".nv_fatbin" || image.section == "__nv_relfatbin";
}

/// Reports whether `file` also contains machine code compiled from `ptx` for the PTX's own arch.
bool is_compiled(const fatbin::File& file, const fatbin::Image& ptx) {
  return std::any_of(file.images.begin(), file.images.end(), [&](const fatbin::Image& image) {
    return image.module == ptx.module && image.kind == fatbin::Kind::sass && image.arch == ptx.arch;
  });
}

/// Reports whether the image is the device linker's and has no kernel: plain `nvcc -o app a.o b.o`
/// makes one for nvcc's default arch.
bool is_of_link_alone(const fatbin::File& file, const fatbin::Image& image) {
  const auto made =
      std::find_if(file.modules.begin(), file.modules.end(),
                   [&](const fatbin::Module& module) { return module.index == image.module; });
  return made != file.modules.end() && made->linked && image.error.empty() && !image.unread &&
         image.kernels.empty();
}

void offer_ptx(const fatbin::File& file, std::string_view bytes, PtxProof& proof) {
  for (const auto& image : file.images) {
    const bool is_ptx = image.kind == fatbin::Kind::ptx && image.error.empty();
    if (!is_ptx || !is_from_nvcc(file, image) || is_compiled(file, image)) continue;
    proof.add(file.path, image, fatbin::content_of(bytes, image));
  }
}

}  // namespace

std::vector<Code> code_of(std::string_view bytes, const std::string& name, fatbin::Detail detail,
                          PtxProof* ptx) {
  const auto file = fatbin::read_bytes(bytes, name, detail);
  if (ptx != nullptr) offer_ptx(file, bytes, *ptx);
  std::vector<Code> code;
  for (const auto& image : file.images) {
    if (!is_from_nvcc(file, image)) continue;
    if (detail >= fatbin::Detail::names && is_of_link_alone(file, image)) continue;
    const auto stored = bytes.substr(std::min<std::size_t>(image.offset, bytes.size()));
    code.push_back({image.kind, image.arch, image.toolkit,
                    // PTX outside a fat binary may be hand-written, for any ISA.
                    image.section.empty() ? std::string() : image.ptx_isa,
                    hash_of(stored.substr(0, image.stored))});
  }
  return code;
}

std::set<std::string> outputs_in(const fs::path& build) {
  return all_outputs(edges_of(build));
}

bool is_build_tree(const fs::path& folder, const fs::path& cell) {
  std::error_code error;  // `cell` is <tree>/cells/<id>
  return folder == cell.parent_path().parent_path() || fs::exists(folder / "CMakeCache.txt", error);
}

std::vector<Command> lines_of_links(const fs::path& build) {
  std::vector<Command> lines;
  for (const auto& line : split(read_text(build / "build.ninja"), "\n")) {
    if (!starts_with(line, "build ") && !starts_with(line, "  LINK_")) continue;
    const auto commands = parse_commands(unescaped(line));
    lines.insert(lines.end(), commands.begin(), commands.end());
  }
  return lines;
}

namespace {

std::set<ImageKey> images_in(const fs::path& build, const std::vector<std::string>& files) {
  std::set<ImageKey> images;
  for (const auto& file : files) {
    archive::walk((build / file).string(), {}, [&](const archive::Found& found) {
      if (!found.error.empty()) return;
      for (const auto& code : code_of(found.contents.bytes(), found.path)) {
        images.insert(key_of(code));
      }
    });
  }
  return images;
}

/// A member of a package, with its size and hash to find files with the same bytes.
struct Member {
  Unit unit;
  std::uintmax_t size = 0;
  std::uint64_t hash = 0;
};

/// Removes the members with the same bytes as a file below `folder` that is older than the build.
/// Does not enter folders for which `skips` returns true.
template <typename Skips>
void drop_prebuilt(const fs::path& folder, const Skips& skips, const Prebuilt& prebuilt,
                   std::vector<Member>& members) {
  std::error_code error;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, kOptions, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code none;
    if (at->is_directory(none) && (at->path().filename() == ".git" || skips(at->path()))) {
      at.disable_recursion_pending();
    }
    if (!at->is_regular_file(none) || !prebuilt.is_older_than_build(at->path())) continue;
    const auto size = at->file_size(none);
    const auto has_size = [&](const Member& member) { return member.size == size; };
    if (none || std::none_of(members.begin(), members.end(), has_size)) continue;
    const auto hash = hash_of(system::MappedFile(at->path()).bytes());
    std::erase_if(members,
                  [&](const Member& member) { return has_size(member) && member.hash == hash; });
  }
}

/// Reports whether `files` contains `member`, "a.tar!b.whl!c.so", or a package around it.
bool is_in(const std::vector<std::string>& files, const std::string& member) {
  for (auto end = member.find('!'); end != std::string::npos; end = member.find('!', end + 1)) {
    if (has(files, member.substr(0, end))) return true;
  }
  return has(files, member);
}

}  // namespace

std::vector<Unit> compiled_units(const fs::path& build, PtxProof* ptx) {
  std::vector<Unit> units;
  for (const auto& output : interesting_outputs(edges_of(build))) {
    const auto path = build / output;  // `output` itself if it is absolute
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) continue;
    const system::MappedFile mapped(path);
    Unit unit;
    unit.output = output;
    unit.target = target_of(output);
    unit.code = code_of(mapped.bytes(), output, fatbin::Detail::names, ptx);
    if (!unit.code.empty()) units.push_back(std::move(unit));
  }
  return units;
}

std::vector<Unit> handmade_units(const fs::path& build, const std::vector<std::string>& files,
                                 const std::vector<Command>& commands, PtxProof* ptx) {
  std::vector<Unit> units;
  const auto edges = edges_of(build);
  const auto compiled = interesting_outputs(edges);
  const Prebuilt prebuilt(build, commands, all_outputs(edges));
  const auto tree = fs::weakly_canonical(build);
  for (const auto& file : files) {
    const auto path = tree / file;
    if (compiled.count(file) != 0 || prebuilt.contains(path)) continue;
    Unit unit;
    unit.output = file;
    archive::walk(path.string(), {}, [&](const archive::Found& found) {
      if (!found.error.empty()) throw std::runtime_error(found.path + ": " + found.error);
      const auto code = code_of(found.contents.bytes(), found.path, fatbin::Detail::names, ptx);
      unit.code.insert(unit.code.end(), code.begin(), code.end());
    });
    if (!unit.code.empty()) units.push_back(std::move(unit));
  }
  return units;
}

std::vector<Unit> packaged_units(const fs::path& build, const std::vector<std::string>& packages,
                                 const Packed& packed, const std::vector<Command>& commands) {
  if (packages.empty()) return {};
  const Prebuilt prebuilt(build, commands, outputs_in(build));
  const auto tree = fs::weakly_canonical(build);
  const auto known = images_in(tree, packed.artifacts);
  std::vector<Member> members;
  for (const auto& package : packages) {
    const auto path = (tree / package).string();
    if (prebuilt.contains(path)) continue;
    const auto root = fatbin::printable(path).size();
    archive::walk(path, {}, [&](const archive::Found& found) {
      Member member;
      member.unit.output = fatbin::printable(package) + found.path.substr(root);
      if (!found.error.empty() || is_in(packed.unaudited, member.unit.output)) return;
      const auto bytes = found.contents.bytes();
      member.unit.code = code_of(bytes, found.path);
      std::erase_if(member.unit.code,
                    [&](const Code& code) { return known.count(key_of(code)) != 0; });
      if (member.unit.code.empty()) return;
      member.size = bytes.size();
      member.hash = hash_of(bytes);
      members.push_back(std::move(member));
    });
  }
  const auto skips_builds = [&](const fs::path& folder) { return is_build_tree(folder, tree); };
  const auto skips_none = [](const fs::path& /*folder*/) { return false; };
  if (!members.empty() && !packed.source.empty()) {
    drop_prebuilt(fs::weakly_canonical(packed.source), skips_builds, prebuilt, members);
  }
  if (!members.empty()) drop_prebuilt(tree, skips_none, prebuilt, members);
  std::vector<Unit> units;
  for (auto& member : members) units.push_back(std::move(member.unit));
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
