// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/phrase.hpp>
#include <map>
#include <regex>
#include <set>

#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

namespace fs = std::filesystem;
using coverage::ComputeCapability;
using coverage::Promise;
using coverage::Version;
using promises::Code;
using promises::SpelledArch;

constexpr int kOldestAssumed = 75;  ///< the oldest arch of CUDA 13

std::string line_of(const ArchList& list) {
  return fmt::format("{}:{}", list.path, list.line);
}

bool is_cmake(const ProjectFacts& facts) {
  return facts.text_of("CMakeLists.txt") != nullptr;
}

/// Returns how near a file is to the build that ships: 0 for the files of the build system.
int rank_of(const ProjectFacts& facts, const ArchList& list) {
  const auto path = fs::path(list.path);
  const auto name = path.filename().string();
  if (name == "CMakeLists.txt" || path.extension() == ".cmake" || name == "CMakePresets.json") {
    return is_cmake(facts) ? 0 : 2;
  }
  if (name == "setup.py" || name == "pyproject.toml" || name == "setup.cfg") return 1;
  if (is_makefile(path)) return 2;
  return 3;
}

/// Returns the archs as the build makes them, each once: PyTorch's 8.0 has no PTX without "+PTX",
/// and -gencode names machine code and PTX apart.
std::vector<SpelledArch> archs_of(const ArchList& list, const std::string& text) {
  struct Kinds {
    bool machine = false;
    bool ptx = false;
  };
  const bool is_torch = list.name.find("TORCH") != std::string::npos;
  std::map<std::pair<int, std::string>, std::pair<SpelledArch, Kinds>> found;
  for (const auto& arch : list.archs) {
    const auto name = SpelledArch{arch.arch, Code::any}.text();
    auto& [spelled, kinds] = found[{arch.arch.number, name}];
    spelled = arch;
    const auto device = coverage::ComputeCapability{arch.arch.number / 10, arch.arch.number % 10};
    const bool has_ptx = !is_torch || text.find(device.text() + "+PTX") != std::string::npos;
    kinds.machine = kinds.machine || arch.code != Code::ptx;
    kinds.ptx = kinds.ptx || arch.code == Code::ptx || (arch.code == Code::any && has_ptx);
  }
  std::vector<SpelledArch> archs;
  for (auto& [key, value] : found) {
    auto& [arch, kinds] = value;
    arch.code = kinds.machine && kinds.ptx ? Code::any : kinds.machine ? Code::machine : Code::ptx;
    // nvcc refuses 100 beside 100f in one build.
    const bool has_family = found.count({key.first, std::to_string(key.first) + "f"}) != 0;
    if (!has_family || key.second.ends_with('f')) archs.push_back(arch);
  }
  return archs;
}

std::vector<std::string> texts_of(const std::vector<SpelledArch>& archs) {
  std::vector<std::string> texts;
  for (const auto& arch : archs) texts.push_back(arch.text());
  return texts;
}

void note_unread(const UnreadArchs& unread, Proposal& proposal) {
  proposal.notes.push_back(fmt::format(
      "{}:{} computes its archs, which are not read: check those of the matrix file (--gpu names "
      "the GPUs)",
      unread.path, unread.line));
}

struct ChosenList {
  std::vector<SpelledArch> archs;  ///< empty: no list
  std::string place;
};

/// Returns the list that most files of the build system have; of equally common ones, the longest.
ChosenList choose_list(const ProjectFacts& facts, Proposal& proposal) {
  std::vector<std::pair<ArchList, std::vector<SpelledArch>>> lists;
  int best = 4;
  for (const auto& file : facts.files) {
    // Beside archs that are computed, those that are written may be exceptions.
    if (const auto unread = unread_archs_in(file.path, file.text)) {
      if (!is_cmake(facts)) note_unread(*unread, proposal);
      continue;
    }
    for (auto& list : arch_lists_in(file.path, file.text)) {
      best = std::min(best, rank_of(facts, list));
      auto archs = archs_of(list, file.text);
      lists.emplace_back(std::move(list), std::move(archs));
    }
  }
  if (lists.empty()) return {};
  std::map<std::vector<std::string>, std::size_t> counts;
  for (const auto& [list, archs] : lists) {
    if (rank_of(facts, list) == best) ++counts[texts_of(archs)];
  }
  const auto is_better = [&](const auto& left, const auto& right) {
    const auto key = [&](const auto& entry) {
      const bool is_near = rank_of(facts, entry.first) == best;
      return std::make_tuple(is_near, is_near ? counts.at(texts_of(entry.second)) : 0,
                             entry.second.size());
    };
    return key(left) < key(right);
  };
  const auto chosen = std::max_element(lists.begin(), lists.end(), is_better);
  std::set<std::string> others;
  for (const auto& [list, archs] : lists) {
    if (texts_of(archs) != texts_of(chosen->second)) others.insert(line_of(list));
  }
  if (!others.empty()) {
    proposal.notes.push_back(fmt::format(
        "the archs are those of {} ({}); other lists, which `archgrid lint` compares: {}",
        line_of(chosen->first), chosen->first.name, report::enumerated(others)));
  }
  return {chosen->second, fmt::format("{} ({})", line_of(chosen->first), chosen->first.name)};
}

/// Returns the toolkits of images nvidia/cuda:X.Y that build files name, ascending.
std::set<Version> named_toolkits(const ProjectFacts& facts) {
  static const std::regex image("nvidia/cuda:([0-9]{1,3}\\.[0-9]{1,3})");
  std::set<Version> found;
  for (const auto& file : facts.files) {
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), image);
         at != std::sregex_iterator(); ++at) {
      const auto version = coverage::parse_version((*at)[1].str());
      if (version && coverage::table().find_toolkit(*version) != nullptr) found.insert(*version);
    }
  }
  return found;
}

std::string versions_text(const std::vector<Version>& versions) {
  std::vector<std::string> texts;
  for (const auto version : versions) texts.push_back(version.text());
  return report::enumerated(texts);
}

std::vector<Version> choose_toolkits(const ProjectFacts& facts, const ProposalRequest& request,
                                     Proposal& proposal) {
  if (!request.toolkits.empty()) {
    if (request.has_found_toolkits) {
      proposal.notes.push_back(fmt::format(
          "the matrix has the toolkits of this machine: CUDA {} (--toolkit names others)",
          versions_text(request.toolkits)));
    }
    return request.toolkits;
  }
  const auto named = named_toolkits(facts);
  const auto why = request.toolkits_problem.empty() ? "no CUDA toolkit is on this machine"
                                                    : request.toolkits_problem;
  if (!named.empty()) {
    proposal.notes.push_back(fmt::format("{}: the matrix has CUDA {}, as the images nvidia/cuda",
                                         why, versions_text({named.begin(), named.end()})));
    return {named.begin(), named.end()};
  }
  const auto newest = coverage::table().toolkits.back().cuda;
  proposal.notes.push_back(
      fmt::format("{}, and no build file names one: assumed CUDA {} (--toolkit names another)", why,
                  newest.text()));
  return {newest};
}

/// Returns the boards that a toolkit compiles for, from the oldest of CUDA 13 on.
std::vector<ComputeCapability> assumed_devices() {
  std::vector<ComputeCapability> devices;
  for (const auto& gpu : coverage::table().architectures) {
    const bool is_board = !gpu.integrated && !gpu.products.empty() && gpu.host_cpu.empty();
    if (is_board && gpu.number >= kOldestAssumed) devices.push_back(gpu.device);
  }
  return devices;
}

std::vector<std::string> planned_archs(Version toolkit,
                                       const std::vector<ComputeCapability>& devices) {
  Promise promise;
  promise.devices = devices;
  coverage::PlanRequest request;
  request.toolkit = toolkit;
  request.devices = coverage::wanted_devices({promise});
  return coverage::spell(coverage::plan_archs(request).archs).matrix;
}

bool serves(const std::vector<std::string>& archs, ComputeCapability device) {
  return std::any_of(archs.begin(), archs.end(), [&](const std::string& arch) {
    return coverage::arch_serves(arch, device, coverage::default_verdicts());
  });
}

/// Reports whether the only code for a GPU is PTX of its own arch, not of an older one.
bool serves_by_ptx(const std::vector<std::string>& archs, ComputeCapability device) {
  const auto own = std::to_string(device.number()) + "-virtual";
  return !serves(archs, device) && std::find(archs.begin(), archs.end(), own) != archs.end();
}

bool can_compile(Version toolkit, const fatbin::Arch& arch) {
  const auto able = coverage::table().toolkits_for(arch);
  return std::find(able.begin(), able.end(), toolkit) != able.end();
}

std::optional<std::string> arch_text_for(Version toolkit, ComputeCapability device) {
  const auto arch =
      coverage::arch_for(toolkit, {device, coverage::default_verdicts(), std::nullopt});
  if (!arch) return std::nullopt;
  return coverage::spell({*arch}).matrix.front();
}

/// Throws std::invalid_argument if none of the toolkits compiles for a device.
void require_toolkits_for(const std::vector<ComputeCapability>& devices,
                          const std::vector<Version>& toolkits) {
  std::vector<std::string> unserved;
  for (const auto device : devices) {
    const auto compiles = [&](Version toolkit) {
      return arch_text_for(toolkit, device).has_value();
    };
    if (std::any_of(toolkits.begin(), toolkits.end(), compiles)) continue;
    const auto& known = coverage::table().toolkits;
    const auto newest = std::find_if(known.rbegin(), known.rend(),
                                     [&](const auto& row) { return compiles(row.cuda); });
    unserved.push_back(newest == known.rend() ? device.text()
                                              : fmt::format("{} (CUDA {} is the newest that can)",
                                                            device.text(), newest->cuda.text()));
  }
  if (unserved.empty()) return;
  throw std::invalid_argument(
      fmt::format("CUDA {} cannot compile for {}: let --toolkit name one that can",
                  versions_text(toolkits), report::enumerated(unserved)));
}

/// Decides the archs of each toolkit.
class Planner {
 public:
  Planner(const ProjectFacts& facts, const ProposalRequest& request, Proposal& proposal)
      : facts_(facts), request_(request), proposal_(proposal) {}

  void plan(ProposedMatrix& matrix) {
    const auto list = choose_list(facts_, proposal_);
    const auto toolkits = choose_toolkits(facts_, request_, proposal_);
    require_toolkits_for(request_.devices, toolkits);
    devices_ =
        request_.devices.empty() && list.archs.empty() ? assumed_devices() : request_.devices;
    if (list.archs.empty()) note_assumption();
    std::map<ComputeCapability, std::string> added;
    for (const auto toolkit : toolkits) {
      auto archs = list.archs.empty() ? planned_archs(toolkit, devices_)
                                      : listed_archs(toolkit, list, added);
      if (archs.empty()) {
        proposal_.notes.push_back(fmt::format("CUDA {} is left out: it compiles for no arch of {}",
                                              toolkit.text(), list.place));
      } else {
        matrix.toolkits.push_back({toolkit, std::move(archs)});
      }
    }
    if (!added.empty()) note_added(list, added);
    promise(matrix, list);
  }

 private:
  void note_assumption() {
    const auto why = request_.devices.empty()
                         ? fmt::format("assumed are all GPU boards from {} on (--gpu names others)",
                                       devices_.front().text())
                         : std::string("the archs are the fewest for the named GPUs");
    proposal_.notes.push_back(fmt::format("no arch list was found in {} of {}: {}",
                                          report::count_text(facts_.files.size(), "build file"),
                                          facts_.folder.string(), why));
  }

  void note_added(const ChosenList& list, const std::map<ComputeCapability, std::string>& added) {
    std::set<ComputeCapability> devices;
    std::set<std::string> archs;
    for (const auto& [device, arch] : added) {
      devices.insert(device);
      archs.insert(arch);
    }
    const auto gpus = coverage::list_devices(devices);
    const auto texts = report::enumerated(archs);
    proposal_.notes.push_back(
        fmt::format("no arch of {} serves {}: cells build {} in addition, and audits of other "
                    "builds fail for {} until you add {} there",
                    list.place, gpus, texts, gpus, texts));
  }

  /// Returns the archs of the list that the toolkit compiles for, and others for requested devices.
  std::vector<std::string> listed_archs(Version toolkit, const ChosenList& list,
                                        std::map<ComputeCapability, std::string>& added) const {
    // Variables with numbers alone decide about PTX themselves.
    const auto& variable = facts_.cmake.variable;
    const bool has_numbers = variable && variable->value != "@GENCODE@";
    std::vector<std::string> archs;
    for (auto arch : list.archs) {
      if (has_numbers && arch.code == Code::ptx) arch.code = Code::any;
      if (can_compile(toolkit, arch.arch)) archs.push_back(arch.text());
    }
    for (const auto device : devices_) {
      if (serves(archs, device) || serves_by_ptx(archs, device)) continue;
      const auto arch = arch_text_for(toolkit, device);
      if (!arch) continue;
      archs.push_back(*arch);
      added.emplace(device, *arch);
    }
    return archs;
  }

  /// Promises each GPU in the toolkits whose archs serve it.
  void promise(ProposedMatrix& matrix, const ChosenList& list) const {
    auto devices = devices_;
    if (devices.empty()) {
      for (const auto& arch : list.archs) {
        const auto* gpu = coverage::table().find_architecture(arch.arch.number);
        if (gpu != nullptr) devices.push_back(gpu->device);
      }
    }
    std::map<std::pair<bool, std::vector<std::string>>, ProposedPromise> groups;
    std::vector<ComputeCapability> unserved;
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    for (const auto device : devices) {
      bool is_served = false;
      for (const bool accepts_jit : {false, true}) {
        std::vector<Version> toolkits;
        std::vector<std::string> texts;
        for (const auto& toolkit : matrix.toolkits) {
          const bool is_meant =
              accepts_jit ? serves_by_ptx(toolkit.archs, device) : serves(toolkit.archs, device);
          if (!is_meant) continue;
          toolkits.push_back(toolkit.cuda);
          texts.push_back(toolkit.cuda.text());
        }
        if (toolkits.empty()) continue;
        is_served = true;
        auto& group = groups[{accepts_jit, texts}];
        group.devices.push_back(device);
        group.accepts_jit = accepts_jit;
        if (toolkits.size() < matrix.toolkits.size()) group.toolkits = toolkits;
      }
      if (!is_served) unserved.push_back(device);
    }
    for (auto& [key, group] : groups) matrix.promises.push_back(std::move(group));
    std::stable_sort(matrix.promises.begin(), matrix.promises.end(),
                     [](const ProposedPromise& left, const ProposedPromise& right) {
                       return left.toolkits.size() < right.toolkits.size();
                     });
    if (unserved.empty()) return;
    proposal_.notes.push_back(
        fmt::format("{} {} not promised: no toolkit of the matrix makes code for {}",
                    coverage::list_devices(unserved), unserved.size() == 1 ? "is" : "are",
                    unserved.size() == 1 ? "it" : "them"));
  }

  const ProjectFacts& facts_;
  const ProposalRequest& request_;
  Proposal& proposal_;
  std::vector<ComputeCapability> devices_;  ///< to promise; empty: those of the list
};

/// Returns a matrix file that the project has, relative to its folder.
std::string existing_matrix(const ProjectFacts& facts) {
  std::set<std::string> found;
  for (const char* below : {"", "matrices", "matrix"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(facts.folder / below, error)) {
      if (entry.path().extension() != ".json" || !entry.is_regular_file(error)) continue;
      try {
        const auto matrix = coverage::read_matrix(entry.path());
        if (!matrix.toolkits.empty()) {
          found.insert(entry.path().lexically_relative(facts.folder).generic_string());
        }
      } catch (const std::exception&) {
        // Another kind of file.
      }
    }
  }
  const auto ours = std::find_if(found.begin(), found.end(), [](const std::string& path) {
    return path.find("archgrid") != std::string::npos;
  });
  if (ours != found.end()) return *ours;
  return found.empty() ? std::string() : *found.begin();
}

std::string free_path(const ProjectFacts& facts) {
  for (const char* path : {"matrices/archgrid.json", "matrices/archgrid-matrix.json"}) {
    if (!facts.exists(path)) return path;
  }
  return "matrices/archgrid-gpus.json";
}

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const auto& text : texts) words.push_back('"' + text + '"');
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string promise_text(const ProposedPromise& promise) {
  auto text = fmt::format("    {{\"devices\": {}", quoted_devices(promise.devices));
  if (promise.accepts_jit) text += ", \"accept\": [\"native\", \"compatible\", \"jit\"]";
  std::vector<std::string> toolkits;
  for (const auto toolkit : promise.toolkits) toolkits.push_back(toolkit.text());
  if (!toolkits.empty()) text += ", \"toolkits\": " + quoted(toolkits);
  return text + "}";
}

/// Returns the line of the variables that choose the archs and enable CUDA; empty without any.
std::string definitions_text(const ProjectFacts& facts, const ProposedMatrix& matrix) {
  auto definitions = matrix.command.definitions;
  if (is_cmake(facts)) {
    definitions = facts.cmake.switches;
    if (const auto& variable = facts.cmake.variable) definitions[variable->name] = variable->value;
  }
  if (definitions.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [name, value] : definitions) {
    texts.push_back(fmt::format("\"{}\": \"{}\"", name, value));
  }
  return fmt::format("  \"definitions\": {{{}}},\n", fmt::join(texts, ", "));
}

std::string matrix_text(const ProjectFacts& facts, const ProposedMatrix& matrix) {
  std::vector<std::string> toolkits;
  for (const auto& toolkit : matrix.toolkits) {
    toolkits.push_back(fmt::format("    {{\"cuda\": \"{}\", \"archs\": {}}}", toolkit.cuda.text(),
                                   quoted(toolkit.archs)));
  }
  std::vector<std::string> promises;
  for (const auto& promise : matrix.promises) promises.push_back(promise_text(promise));
  auto text =
      fmt::format("{{\n  \"name\": \"{}\",\n  \"toolkits\": [\n{}\n  ],\n  \"cells\": [\"fat\"],\n",
                  facts.name, fmt::join(toolkits, ",\n"));
  const auto& cmake = facts.cmake;
  if (!cmake.libraries.empty()) {
    text += fmt::format("  \"libraries\": {},\n",
                        quoted({cmake.libraries.begin(), cmake.libraries.end()}));
  }
  text += definitions_text(facts, matrix);
  const bool is_enforced = is_cmake(facts) && cmake.fixed && cmake.fixed->what.starts_with("set");
  if (is_enforced) text += "  \"enforce_archs\": true,\n";
  if (is_cmake(facts) && cmake.writes_to_sources) text += "  \"redirect_outputs\": true,\n";
  return text + fmt::format("  \"promises\": [\n{}\n  ]\n}}\n", fmt::join(promises, ",\n"));
}

/// Adds notes about what decides the archs of the project.
void note_archs(const CMakeProject& cmake, Proposal& proposal) {
  if (cmake.variable) {
    proposal.notes.push_back(fmt::format("cells choose their archs by {} ({}), of {}:{}",
                                         cmake.variable->name, cmake.variable->value,
                                         cmake.variable->path, cmake.variable->line));
  } else if (cmake.fixed && cmake.fixed->what == "-gencode") {
    proposal.notes.push_back(
        fmt::format("{}:{} has -gencode flags, which cells cannot change: let "
                    "CMAKE_CUDA_ARCHITECTURES decide",
                    cmake.fixed->path, cmake.fixed->line));
  } else if (cmake.fixed) {
    proposal.notes.push_back(
        fmt::format("{}:{} sets CMAKE_CUDA_ARCHITECTURES whatever the command line says: cells "
                    "replace it (\"enforce_archs\")",
                    cmake.fixed->path, cmake.fixed->line));
  }
}

void note_late(const ProjectFacts& facts, Proposal& proposal) {
  for (const auto& late : find_late_archs(facts.files)) {
    proposal.notes.push_back(
        fmt::format("{0}:{1} has no effect, as CMake has set CMAKE_CUDA_ARCHITECTURES in line {2}: "
                    "set it before that, or audits of builds without "
                    "-DCMAKE_CUDA_ARCHITECTURES=... fail",
                    late.path, late.line, late.since));
  }
}

/// Adds the CMake project that builds the cells of the matrix file.
void add_cells_project(const ProjectFacts& facts, const ProposedMatrix& matrix,
                       const std::string& cmake_options, Proposal& proposal) {
  const bool has_one =
      std::any_of(facts.files.begin(), facts.files.end(), [](const BuildFile& file) {
        return file.text.find("archgrid_add_matrix") != std::string::npos;
      });
  const auto path = fs::path(matrix.path);
  const auto lists = (path.parent_path() / "CMakeLists.txt").generic_string();
  if (has_one || !path.has_parent_path()) return;
  if (facts.exists(lists)) {
    proposal.notes.push_back(fmt::format(
        "{} is there already: add archgrid_add_matrix(MATRIX {} SOURCE ..) to a project of its own",
        lists, path.filename().string()));
    return;
  }
  const auto command = matrix.command.words.empty() ? "" : " COMMAND " + matrix.command.words;
  add_file(proposal, lists,
           fmt::format("# Builds and audits the cells of {0}:\n"
                       "#   cmake -G Ninja -S {1} -B build/matrix\n"
                       "#   cmake --build build/matrix\n"
                       "#   ctest --test-dir build/matrix --label-regex fatbin --no-tests=error "
                       "--output-on-failure\n"
                       "cmake_minimum_required(VERSION 3.25)\n"
                       "project({2}-matrix NONE)\n"
                       "enable_testing()\n"
                       "find_package(ArchGrid REQUIRED)\n"
                       "archgrid_add_matrix(MATRIX {0} SOURCE ..{3})\n",
                       path.filename().string(), path.parent_path().string(), facts.name, command));
  if (cmake_options.empty()) return;
  proposal.notes.push_back(
      fmt::format("CMake does not find this archgrid by itself: configure the cells with\n"
                  "  cmake -G Ninja -S {} -B build/matrix {}",
                  path.parent_path().string(), cmake_options));
}

/// Reports whether the project compiles CUDA, as far as its build files say.
bool has_cuda(const ProjectFacts& facts) {
  return facts.cmake.enables_cuda ||
         std::any_of(facts.files.begin(), facts.files.end(), [](const BuildFile& file) {
           return file.text.find("nvcc") != std::string::npos ||
                  file.text.find("CUDAExtension") != std::string::npos ||
                  !arch_lists_in(file.path, file.text).empty();
         });
}

}  // namespace

ProposedMatrix propose_matrix(const ProjectFacts& facts, const ProposalRequest& request,
                              Proposal& proposal) {
  ProposedMatrix matrix;
  matrix.path = existing_matrix(facts);
  matrix.is_there = !matrix.path.empty();
  if (!matrix.is_there && !has_cuda(facts)) {
    proposal.notes.push_back(
        fmt::format("no build of CUDA was found in {} of {}: looked for CUDA in CMake files, nvcc, "
                    "CUDAExtension and arch lists",
                    report::count_text(facts.files.size(), "build file"), facts.folder.string()));
    return matrix;
  }
  Proposal ignored;
  matrix.command = find_command(facts, matrix.is_there ? ignored : proposal);
  if (matrix.is_there) {
    proposal.kept.push_back(matrix.path);
  } else {
    auto complete = request;
    if (request.devices.empty()) complete.devices = promised_devices(facts, proposal);
    Planner(facts, complete, proposal).plan(matrix);
    if (matrix.promises.empty()) return {};
    note_archs(facts.cmake, proposal);
    note_late(facts, proposal);
    matrix.path = free_path(facts);
    add_file(proposal, matrix.path, matrix_text(facts, matrix));
  }
  if (is_cmake(facts) || !matrix.command.words.empty()) {
    add_cells_project(facts, matrix, request.cmake_options, proposal);
  }
  return matrix;
}

}  // namespace archgrid::project
