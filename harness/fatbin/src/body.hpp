// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells bodies that do nothing from those that work. Measured on the machine code of CUDA 11.8,
// 12.4 and 13.x, not documented by NVIDIA: what is not recognised counts as code that works.
#ifndef ARCHGRID_FATBIN_BODY_HPP
#define ARCHGRID_FATBIN_BODY_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// Code that is longer counts as code that works: no compiler was seen to make so much of nothing.
/// ptxas makes 64 bytes of it before 7.0, 128 on 7.x and 256 from 8.0 on.
constexpr std::uint64_t largest_idle_body(int arch) {
  return arch < 80 ? 128 : 256;
}

struct BodyFacts {
  Body body = Body::unknown;
  bool stores = false;
  Opcodes opcodes;
  bool multiplies_2_to_4 = false;  ///< as Kernel has it
};

/// `code` is the kernel's machine code, `arch` the number of its architecture.
BodyFacts classify_sass(Bytes code, int arch);

/// BodyFacts::stores alone, which the first store tells.
bool stores(Bytes code, int arch);

/// The same for PTX: source text, which takes more.
constexpr std::uint64_t kLargestIdlePtx = 4096;

/// `body` is the text between a PTX entry's braces.
BodyFacts classify_ptx(std::string_view body);

}  // namespace archgrid::fatbin

#endif
