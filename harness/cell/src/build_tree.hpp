// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of a Ninja tree of CMake and of device code, shared by the sources of this library.
#ifndef ARCHGRID_CELL_BUILD_TREE_HPP
#define ARCHGRID_CELL_BUILD_TREE_HPP

#include <archgrid/cell.hpp>
#include <tuple>

namespace archgrid::cell {

/// Identifies an image of device code.
using ImageKey = std::tuple<fatbin::Kind, int, char, std::uint64_t>;

inline ImageKey key_of(const Code& code) {
  return {code.kind, code.arch.number, code.arch.suffix, code.hash};
}

/// Returns the device code that nvcc put into a file, without code that is mere data. A `detail`
/// below Detail::names leaves Code::toolkit and Code::ptx_isa empty. Passes PTX that no ptxas has
/// compiled to `ptx`.
std::vector<Code> code_of(std::string_view bytes, const std::string& name,
                          fatbin::Detail detail = fatbin::Detail::names, PtxProof* ptx = nullptr);

/// Returns all outputs that commands of the build declare, relative to the tree `build` if they are
/// in there.
std::set<std::string> outputs_in(const std::filesystem::path& build);

/// Reports whether `folder` is a CMake build tree or the matrix tree around the cell's tree `cell`.
/// Files there are not sources even inside a project's sources: other cells may have made them.
bool is_build_tree(const std::filesystem::path& folder, const std::filesystem::path& cell);

/// Returns the inputs, outputs and linked libraries in build.ninja, including the contents of
/// response files, one command per line.
std::vector<Command> lines_of_links(const std::filesystem::path& build);

}  // namespace archgrid::cell

#endif
