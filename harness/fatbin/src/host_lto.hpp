// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that the host compiler's link-time optimisation (-flto) makes: they hold its own form of
// the program instead of machine code, and nvcc's fat binaries are compressed within that.
#ifndef ARCHGRID_FATBIN_HOST_LTO_HPP
#define ARCHGRID_FATBIN_HOST_LTO_HPP

#include <string_view>

#include "elf.hpp"

namespace archgrid::fatbin {

enum class HostLto {
  none,    ///< machine code is there
  opaque,  ///< LTO data alone, of which nothing is known
  kernels  ///< LTO data alone, which register kernels with the CUDA runtime
};

/// Classifies a relocatable object. Throws Unreadable.
HostLto host_lto_of(const Elf& elf);

/// Reports whether the bytes begin LLVM bitcode, in its wrapper or without.
bool is_bitcode(std::string_view bytes);

/// Classifies LLVM bitcode; that for GPUs, such as libdevice, is `none`.
HostLto host_lto_of_bitcode(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
