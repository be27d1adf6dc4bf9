// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof that a built cell is what it says: the architectures that its commands ask for and its
// objects hold, the toolkit that made them, and whose headers and libraries it uses.
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

/// One entry of a cell's archs: "90" asks for machine code and PTX, "90-real" and "90-virtual" for
/// one of them.
struct AskedArch {
  fatbin::Arch arch;
  bool sass = true;
  bool ptx = true;
};

/// Nothing unless the data table has such an architecture and suffix.
std::optional<AskedArch> parse_asked(std::string_view text);

/// "90-real"
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
  std::string toolkit;     ///< that made it, "13.0"; empty where not recorded
  std::string ptx_isa;     ///< of PTX, "9.0"; empty where not read
  std::uint64_t hash = 0;  ///< of its bytes as stored
};

/// The output of one command of the build.
struct Unit {
  std::string output;  ///< relative to the build tree where it lies there
  std::string target;  ///< the CMake target whose object it is; empty where the path does not tell
  std::vector<Code> code;
  bool flags_of_project = false;  ///< archs come from flags that CMake did not write
  bool native = false;            ///< asks for the GPU of the machine that compiles
  bool open = false;              ///< a shell is still to expand flags, which may name more archs
};

/// One simple command of a build, as a shell splits it.
struct Command {
  std::vector<std::string> words;
  std::filesystem::path folder;  ///< where `cd` or a launcher leads; empty: the build tree
  std::size_t line = 0;          ///< commands of one edge of the build share it
};

/// Splits the output of `ninja -t commands`, and the text of `sh -c`. Variables and substitutions
/// are left as they are.
std::vector<Command> parse_commands(std::string_view text);

/// Returns what each nvcc that compiles or links device code asks for. A command without
/// a flag asks for the default of `toolkit`; one whose flags have variables of a shell for none.
/// Files of options are read below the tree `build`; a command with one that is not there yet is
/// left out.
std::vector<Unit> asked_units(const std::vector<Command>& commands, coverage::Version toolkit,
                              const std::filesystem::path& build = {});

/// Returns the outputs of `units` that lie outside of the tree `build`, each once.
std::vector<std::string> outputs_outside(const std::vector<Unit>& units,
                                         const std::filesystem::path& build);

/// Returns the files with device code outside of the matrix tree around the cell's tree `build`
/// that are newer than the cell's configuration: below the folder `source` of the project, at paths
/// that `commands` name, and where links in the tree lead. Leaves out other build trees of CMake.
std::vector<std::string> written_outside(const std::vector<Command>& commands,
                                         const std::filesystem::path& build,
                                         const std::filesystem::path& source);

/// A file with device code that no audit of a cell reads.
struct Unaudited {
  std::string path;         ///< of a member of a package "dist.whl!lib.so"
  std::string why;          ///< a word of archgrid.cell/1
  std::string reason = {};  ///< one sentence; empty where `why` says all
};

/// Names by which files in packages are told to be of others, as regular expressions; empty ones
/// match nothing.
struct OtherNames {
  std::string library;  ///< a library of NVIDIA, "libcublas.so.12"
  std::string package;  ///< the distribution of a wheel, "torch"
  std::string project;  ///< a wheel with this name in its own is the project's
};

/// Files of a build tree. All paths are relative to the tree.
struct Surveyed {
  std::vector<std::string> files;      ///< of any kind, maybe packages
  std::vector<std::string> installed;  ///< with device code in them, that install() names
  std::vector<std::string> artifacts;  ///< the other files that audits read
};

/// Packages and compressed files, by what they hold, and installed files with device code.
struct Packages {
  std::vector<std::string> audited;  ///< those with device code that audits read
  std::vector<Unaudited> unaudited;
};

/// Finds the packages among the files of `build`, a Ninja tree of CMake, and sorts the files in
/// them. A member with the bytes of an artifact, or of a member before it, is a copy, unless it is
/// code that programs load: a set of such files is judged as a whole. Throws as compiled_units().
Packages survey_packages(const std::filesystem::path& build, const Surveyed& surveyed,
                         const OtherNames& names);

/// Asks the toolkit's own ptxas about PTX that it has not compiled: nvcc writes PTX without a look
/// at what the arch has.
class PtxProof {
 public:
  /// `root` is the toolkit's, `build` the cell's tree, which remembers what was accepted.
  PtxProof(const Spec& spec, const std::filesystem::path& root, std::filesystem::path build);

  /// Adds the PTX of an image in the file `output`, unless the toolkit's ptxas cannot judge it: it
  /// does not know the arch, or the ISA is newer.
  void add(const std::string& output, const fatbin::Image& image, std::string text);

  /// Returns one line on PTX that ptxas refuses, with the fix; empty where there is none.
  std::string refused();

 private:
  struct Text {
    std::string output;
    fatbin::Arch arch;
    std::string ptx;
    std::string key;
    bool is_part = false;  ///< of a device link, with other objects
    bool accepted = false;
    bool of_kernel = false;  ///< the error is about a whole kernel, not about one line
    std::string error;       ///< about the PTX itself
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

/// The device code that the build at `build`, a Ninja tree of CMake, compiled: in the objects, PTX,
/// cubin and fatbin files that build.ninja makes and that exist. PTX that no ptxas has compiled
/// goes to `ptx`. Prebuilt code is left out: files that a command merely copies, and data of an
/// object that is not from nvcc. Throws std::runtime_error where build.ninja or a file cannot be
/// read.
std::vector<Unit> compiled_units(const std::filesystem::path& build, PtxProof* ptx = nullptr);

/// The device code in `files`, relative to `build`, that no target of CMake makes: programs,
/// libraries and archives of custom commands, scripts and nested builds. Left out are files that
/// compiled_units() reads, data of host binaries, and prebuilt files: those that are older than the
/// build, and copies that `commands` make of files outside the tree. Throws as compiled_units().
std::vector<Unit> handmade_units(const std::filesystem::path& build,
                                 const std::vector<std::string>& files,
                                 const std::vector<Command>& commands, PtxProof* ptx = nullptr);

/// Files that packaged_units() leaves out.
struct Packed {
  std::vector<std::string> unaudited;  ///< members that audits leave out, and packages in packages
  std::vector<std::string> artifacts;  ///< files beside the packages whose code is proved elsewhere
  std::filesystem::path source;        ///< of the project; its files from before the build
};

/// The device code in members of `packages`, files below `build`, a unit each. Left out are members
/// that cannot be read, those of `packed`, code that its artifacts hold, byte for byte, and
/// prebuilt files: packages as those of handmade_units(), and members with the bytes of a file in
/// the sources or in the tree that is older than the build.
std::vector<Unit> packaged_units(const std::filesystem::path& build,
                                 const std::vector<std::string>& packages, const Packed& packed,
                                 const std::vector<Command>& commands);

/// A hash of all code, whatever its order; empty where there is none.
std::string fingerprint(const std::vector<Unit>& units);

/// When architectures are judged: flags before the build, images after it.
enum class Stage { configured, built };

/// The entries of a CMakeCache.txt by name, without those of the type STATIC.
using Cache = std::map<std::string, std::string>;
Cache read_cache(const std::filesystem::path& file);

struct ArchProof {
  std::string problem;  ///< one line: what the cell holds, what was asked; empty if it is as asked
  std::vector<std::string> notes;  ///< one sentence each
  /// With code outside the cell's archs; all with code if no unit has such.
  std::set<std::string> targets;
  std::set<std::string> outputs;  ///< likewise of units that are of no target
  std::set<int> numbers;          ///< of all code
  bool flags_of_project = false;  ///< the wrong archs come from such flags
};

/// Compares the code of all units together with the cell's archs. Wrong is code for another number,
/// an asked arch without code of its own, and machine code that lacks or is too much. No code at
/// all is no problem here: nothing was compiled. Flags that are still open may name what is
/// missing.
ArchProof judge_archs(const Spec& spec, const std::vector<Unit>& units, Stage stage);

/// Tells of a built cell, whose objects do not record it, whether flags of the project name the
/// wrong archs: those in the commands, of which `asked` are the units, for a target that is wrong.
void find_flags(const std::vector<Unit>& asked, ArchProof& proof);

/// Names what seems to have decided the archs, and what to write into the matrix file: "X=75;80
/// seems to decide: write ...". `archs` is what the cell was passed as CMAKE_CUDA_ARCHITECTURES.
std::string advise(const ArchProof& proof, const Cache& cache, const std::string& archs);

/// Returns one line on code that another toolkit than the cell's made; empty if there is none.
std::string judge_toolkit(const Spec& spec, const std::vector<Unit>& units);

/// Reports whether a cell may hold `code`: for a number that it asks for, machine code only where
/// it asks for that, and made by no other toolkit.
bool may_hold(const Spec& spec, const Code& code);

/// A file of another toolkit that the build uses.
struct Foreign {
  std::string path;
  std::string library;  ///< "cublas": what "libraries" of the matrix file calls it; may be empty
  std::string own;      ///< the same file of the cell's toolkit; empty where it lacks that
};

/// The places where a build looks for what it uses.
struct Surroundings {
  std::filesystem::path root;  ///< of the cell's toolkit
  std::filesystem::path build;
  std::string library_path;  ///< of the environment
};

/// Device code that linked files hold, though the cell does not ask for it and no unit has it.
struct Linked {
  std::vector<Unit> made;          ///< objects that scripts or nested builds made in the tree
  std::vector<std::string> notes;  ///< one sentence each, on other files that are not prebuilt
};

/// Finds the files from which `artifacts`, relative to the tree, have device code that the cell may
/// not hold and that none of `units` has: not static libraries of the toolkit, files that
/// `commands` name outside the tree, files in the folder `source` of the project and in the tree
/// that are older than the build, and what FetchContent fetched there.
Linked linked_code(const Spec& spec, const Surroundings& place, const std::filesystem::path& source,
                   const std::vector<std::string>& artifacts, const std::vector<Unit>& units,
                   const std::vector<Command>& commands);

/// The nvcc and the toolkit libraries outside the cell's own toolkit that the commands use, and the
/// scripts of FindCUDA that they run.
std::vector<Foreign> foreign_tools(const std::vector<Command>& commands, const Surroundings& place);

/// The headers of another toolkit among those that the compilers reported: `deps` is the output of
/// `ninja -t deps`.
std::vector<Foreign> foreign_headers(std::string_view deps, const Surroundings& place);

/// One line for a message, with the fix.
std::string describe(const std::vector<Foreign>& foreign);

}  // namespace archgrid::cell

#endif
