// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that a built cell is what it claims to be: the architectures that its commands ask for and
// its objects contain, the toolkit that made them, and the origin of its headers and libraries.
#ifndef ARCHGRID_CELL_HPP
#define ARCHGRID_CELL_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::cell {

/// One entry of a cell's archs: "90" asks for machine code and PTX, "90-real" for machine code
/// alone, "90-virtual" for PTX alone.
struct AskedArch {
  fatbin::Arch arch;
  bool sass = true;
  bool ptx = true;
};

/// Returns the arch that `text` names, or nothing if the data table lacks its number or suffix.
std::optional<AskedArch> parse_asked(std::string_view text);

/// Returns "90-real".
std::string text_of(const AskedArch& asked);

/// A cell as the plan describes it.
struct Spec {
  coverage::Version toolkit;
  std::vector<AskedArch> archs;
};

/// Device code of one kind for one arch, asked for by a command or found in a file.
struct Code {
  fatbin::Kind kind = fatbin::Kind::other;
  fatbin::Arch arch;
  std::string toolkit;     ///< release of the toolkit that made it, "13.0"; empty if not recorded
  std::string ptx_isa;     ///< ISA of PTX, "9.0"; empty if not read
  std::uint64_t hash = 0;  ///< hash of its bytes as stored
};

/// The output of one command of the build.
struct Unit {
  std::string output;  ///< relative to the build tree if it is in there
  std::string target;  ///< CMake target of the object; empty if the path does not name it
  std::vector<Code> code;
  bool flags_of_project = false;  ///< archs come from flags that CMake did not write
  bool native = false;            ///< asks for the GPU of the machine that compiles
  bool open = false;              ///< a shell has yet to expand flags, which may name more archs
};

/// One simple command of a build, split into words as by a shell.
struct Command {
  std::vector<std::string> words;
  std::filesystem::path folder;  ///< folder that `cd` or a launcher enters; empty: the build tree
  std::size_t line = 0;          ///< shared by the commands of one edge of the build
};

/// Splits the output of `ninja -t commands`, and the text of `sh -c`. Does not expand variables and
/// substitutions.
std::vector<Command> parse_commands(std::string_view text);

/// Returns a unit with the requested archs for each nvcc command that compiles or links device
/// code. A command without a flag for archs requests the default of `toolkit`; one whose flags
/// contain shell variables requests none. Reads options files below the tree `build`, and leaves
/// out a command whose options file does not exist yet.
std::vector<Unit> asked_units(const std::vector<Command>& commands, coverage::Version toolkit,
                              const std::filesystem::path& build = {});

/// Returns the outputs of `units` outside of the tree `build`, each once.
std::vector<std::string> outputs_outside(const std::vector<Unit>& units,
                                         const std::filesystem::path& build);

/// Returns the files with device code outside of the matrix tree around the cell's tree `build`
/// that are newer than the cell's configuration. Searches the folder `source` of the project, the
/// paths that `commands` name, and the targets of links in the tree. Leaves out other CMake build
/// trees.
std::vector<std::string> written_outside(const std::vector<Command>& commands,
                                         const std::filesystem::path& build,
                                         const std::filesystem::path& source);

/// A file with device code that no audit of a cell reads.
struct Unaudited {
  std::string path;         ///< "dist.whl!lib.so" for a member of a package
  std::string why;          ///< a reason code of archgrid.cell/1
  std::string reason = {};  ///< one sentence; empty if `why` is enough
};

/// Regular expressions on names, by which files in packages are recognised as third-party. An empty
/// one matches nothing.
struct OtherNames {
  std::string library;  ///< a library of NVIDIA, "libcublas.so.12"
  std::string package;  ///< the distribution of a wheel, "torch"
  std::string project;  ///< the project's name, which its own wheels contain
};

/// Files of a build tree. All paths are relative to the tree.
struct Surveyed {
  std::vector<std::string> files;      ///< of any kind, possibly packages
  std::vector<std::string> installed;  ///< files with device code that install() names
  std::vector<std::string> artifacts;  ///< the other files that audits read
};

/// Packages and compressed files with device code, and installed files with device code.
struct Packages {
  std::vector<std::string> audited;  ///< files with device code that audits read
  std::vector<Unaudited> unaudited;
};

/// Finds the packages among the files of `build`, a Ninja tree of CMake, and sorts the files in
/// them. A member with the same bytes as an artifact or an earlier member is a copy, unless it is
/// code that programs load: a set of such files is audited as a whole. Throws as compiled_units()
/// does.
Packages survey_packages(const std::filesystem::path& build, const Surveyed& surveyed,
                         const OtherNames& names);

/// Check of PTX that no ptxas has compiled, by the toolkit's own ptxas: nvcc writes PTX without
/// checking that the arch has its instructions.
class PtxProof {
 public:
  /// `root` is the toolkit's folder; `build` is the cell's tree, which records accepted PTX.
  PtxProof(const Spec& spec, const std::filesystem::path& root, std::filesystem::path build);

  /// Adds the PTX of an image in the file `output`, unless the toolkit's ptxas cannot judge it
  /// because it does not support the arch or the ISA is newer.
  void add(const std::string& output, const fatbin::Image& image, std::string text);

  /// Returns one line on the PTX that ptxas refuses, with the fix; empty if it accepts all.
  std::string refused();

 private:
  struct Text {
    std::string output;
    fatbin::Arch arch;
    std::string ptx;
    std::string key;
    bool is_part = false;  ///< part of a device link with other objects
    bool accepted = false;
    bool of_kernel = false;  ///< the error concerns a whole kernel, not one line
    std::string error;       ///< an error in the PTX itself
    std::string kernel;
  };

  [[nodiscard]] bool can_judge(const fatbin::Image& image) const;
  void ask(Text& text, std::size_t number) const;

  coverage::Version toolkit_;
  std::filesystem::path ptxas_;
  std::filesystem::path build_;
  std::set<std::string> accepted_;
  std::set<std::string> seen_;
  std::vector<Text> waiting_;
};

/// Returns the device code that the build at `build`, a Ninja tree of CMake, compiled: that of the
/// existing objects, PTX, cubin and fatbin files that build.ninja makes. Passes PTX that no ptxas
/// has compiled to `ptx`. Leaves out prebuilt code: files that a command merely copies, and data of
/// an object that is not from nvcc. Throws std::runtime_error if build.ninja or a file cannot be
/// read.
std::vector<Unit> compiled_units(const std::filesystem::path& build, PtxProof* ptx = nullptr);

/// Returns the device code in `files`, relative to `build`, that no CMake target makes: programs,
/// libraries and archives of custom commands, scripts and nested builds. Leaves out files that
/// compiled_units() reads, data of host binaries, and prebuilt files: those older than the build,
/// and copies that `commands` make of files outside the tree. Throws as compiled_units() does.
std::vector<Unit> handmade_units(const std::filesystem::path& build,
                                 const std::vector<std::string>& files,
                                 const std::vector<Command>& commands, PtxProof* ptx = nullptr);

/// Input of packaged_units() that decides which files it leaves out.
struct Packed {
  std::vector<std::string> unaudited;  ///< members that audits leave out, and packages in packages
  std::vector<std::string> artifacts;  ///< other files, whose code is checked elsewhere
  std::filesystem::path source;        ///< of the project; files older than the build are prebuilt
};

/// Returns the device code in members of `packages`, files below `build`, one unit each. Leaves out
/// members that cannot be read, the members listed in `packed`, code that its artifacts contain
/// byte for byte, and prebuilt files: packages that handmade_units() calls prebuilt, and members
/// with the same bytes as a file in the sources or in the tree that is older than the build.
std::vector<Unit> packaged_units(const std::filesystem::path& build,
                                 const std::vector<std::string>& packages, const Packed& packed,
                                 const std::vector<Command>& commands);

/// Returns a hash of all code, independent of its order; empty if there is no code.
std::string fingerprint(const std::vector<Unit>& units);

/// The time of a check of architectures: of flags before the build, of images after it.
enum class Stage { configured, built };

/// The entries of a CMakeCache.txt by name, without those of type STATIC.
using Cache = std::map<std::string, std::string>;
Cache read_cache(const std::filesystem::path& file);

/// Variables that a toolchain file sets, which hide entries of the cache. Those are absent that
/// only propose an entry (CACHE without FORCE).
struct Toolchain {
  std::string
      file;  ///< as the cache names it, maybe relative to the sources; empty if there is none
  Cache variables;
};

/// Returns the variables that the file CMAKE_TOOLCHAIN_FILE of the cache sets by itself, without
/// evaluating conditions. A file that cannot be read has none.
Toolchain read_toolchain(const Cache& cache);

struct ArchProof {
  std::string problem;  ///< one line: what the cell contains, what was asked; empty if they agree
  std::vector<std::string> notes;  ///< one sentence each
  /// Targets with code outside the cell's archs; all targets with code if no unit has such code.
  std::set<std::string> targets;
  std::set<std::string> outputs;  ///< outputs of units without a target, selected like `targets`
  std::set<int> numbers;          ///< arch numbers of all code
  bool flags_of_project = false;  ///< flags that CMake did not write name the wrong archs
};

/// Compares the code of all units together with the cell's archs. Reports code for another number,
/// an asked arch without code of its own, and machine code that is missing or was not asked for. No
/// code at all is not a problem here: nothing was compiled. Flags that a shell has yet to expand
/// may name the missing archs.
ArchProof judge_archs(const Spec& spec, const std::vector<Unit>& units, Stage stage);

/// Sets `proof.flags_of_project` for a built cell, whose objects do not record it: reports whether
/// flags of the project name the wrong archs in the commands of a wrong target. `asked` are the
/// units of the commands.
void find_flags(const std::vector<Unit>& asked, ArchProof& proof);

/// Names what most likely set the archs, and what to write into the matrix file: "X=75;80 seems to
/// decide: write ...". `archs` is the value of CMAKE_CUDA_ARCHITECTURES that the cell got.
std::string advise(const ArchProof& proof, const Cache& cache, const std::string& archs,
                   const Toolchain& toolchain = {});

/// Returns one line on code made by another toolkit than the cell's; empty if there is none.
std::string judge_toolkit(const Spec& spec, const std::vector<Unit>& units);

/// Reports whether a cell may contain `code`: the cell asks for its number, does not ask for PTX
/// alone of its arch if it is machine code, and no other toolkit made it.
bool may_hold(const Spec& spec, const Code& code);

/// A file of another toolkit that the build uses.
struct Foreign {
  std::string path;
  std::string library;  ///< "cublas", its name in "libraries" of the matrix file; may be empty
  std::string own;      ///< the same file in the cell's toolkit; empty if that lacks it
};

/// The places where a build looks for tools, headers and libraries.
struct Surroundings {
  std::filesystem::path root;  ///< folder of the cell's toolkit
  std::filesystem::path build;
  std::string library_path;  ///< LIBRARY_PATH of the environment
};

/// Device code in linked files that the cell does not ask for and that no unit contains.
struct Linked {
  std::vector<Unit> made;          ///< objects in the tree that scripts or nested builds compiled
  std::vector<std::string> notes;  ///< one sentence each on other files that are not prebuilt
};

/// Finds the files from which `artifacts`, relative to the tree, got device code that the cell may
/// not contain and that none of `units` has. Leaves out static libraries of the toolkit, files that
/// `commands` name outside the tree, files in the project's folder `source` and in the tree that
/// are older than the build, and files that FetchContent fetched into the tree.
Linked linked_code(const Spec& spec, const Surroundings& place, const std::filesystem::path& source,
                   const std::vector<std::string>& artifacts, const std::vector<Unit>& units,
                   const std::vector<Command>& commands);

/// Returns the nvcc and the toolkit libraries outside the cell's own toolkit that the commands, or
/// the FindCUDA scripts that they run, use.
std::vector<Foreign> foreign_tools(const std::vector<Command>& commands, const Surroundings& place);

/// Returns the headers of another toolkit among those that the compilers reported. `deps` is the
/// output of `ninja -t deps`.
std::vector<Foreign> foreign_headers(std::string_view deps, const Surroundings& place);

/// Returns one line for a message, with the fix.
std::string describe(const std::vector<Foreign>& foreign);

}  // namespace archgrid::cell

#endif
