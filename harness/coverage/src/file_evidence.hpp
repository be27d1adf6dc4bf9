// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Evidence about the modules of a file: their archs and what their code needs.
#ifndef ARCHGRID_COVERAGE_FILE_EVIDENCE_HPP
#define ARCHGRID_COVERAGE_FILE_EVIDENCE_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// The archs of one fat binary.
struct ArchList {
  std::string text;         ///< "80 86 90a"
  bool is_suffixed = true;  ///< each arch has a suffix, or one does and all have one number
};

/// The oldest code of a fat binary.
struct Oldest {
  int arch = std::numeric_limits<int>::max();  ///< PTX included
  int sass = std::numeric_limits<int>::max();
  int first_device = 0;  ///< has all instructions of that machine code; 0: unknown
};

struct FileEvidence {
  std::vector<ArchList> lists;  ///< by module
  std::vector<Oldest> oldest;   ///< by module
  std::vector<bool> of_nvidia;  ///< by module
  bool has_many_lists = false;  ///< they were chosen unit by unit
  bool compiles_at_run_time = false;
  std::set<int> compiled_alone;  ///< numbers of archs that are all that some module has code for
  std::map<std::string_view, int> first_with;  ///< GPU with all instructions, by list of archs
};

FileEvidence evidence_in(const fatbin::File& file, const ImageSelector& selector);

}  // namespace archgrid::coverage

#endif
