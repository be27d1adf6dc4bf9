// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The GPUs that the metadata of a package name.
#ifndef ARCHGRID_COVERAGE_CLAIMS_HPP
#define ARCHGRID_COVERAGE_CLAIMS_HPP

#include <archgrid/coverage/table.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace archgrid::coverage {

/// The GPUs that a package is for, by its own word.
struct Claim {
  std::string source;           ///< "variant.json", "index.json"
  std::set<std::string> archs;  ///< "90-real", "90-virtual", as CMake spells them; empty: any
  std::optional<Device> least;  ///< the oldest GPU on which it is installed
  bool is_unread = false;       ///< it is no JSON, or of another form: it claims nothing
  bool python_checks = false;   ///< Python code of the package asks for the compute capability
};

/// Reports whether a member of an archive with this path may say which GPUs the package is for: a
/// wheel's `*.dist-info/variant.json`, a conda package's `info/index.json`, and Python code.
bool may_claim(std::string_view path);

/// Reads metadata of that path: `nvidia :: sm_arch` of a variant wheel (PEP 825 draft; values as
/// nvidia-variant-provider has them: "90_real"), `cuda-arch` or `__cuda_arch` with a lower bound
/// among the dependencies of a conda package (CEP 46). Returns nothing where it names no GPU.
std::optional<Claim> read_claim(std::string_view path, std::string_view text);

/// By package, "foo.whl".
using Claims = std::map<std::string, Claim, std::less<>>;

/// Adds what the member at `path`, "foo.whl!foo.dist-info/variant.json", says.
void add_claim(std::string_view path, std::string_view text, Claims& claims);

/// Returns the claim of the package that a file is in; null for none.
const Claim* find_claim(const Claims& claims, std::string_view path);

/// Reports whether a claim leaves the device out.
bool leaves_out(const Claim& claim, Device device);

/// Returns the devices that a claim names: for archs with machine code their own, else the oldest.
std::set<Device> named_by(const Claim& claim);

}  // namespace archgrid::coverage

#endif
