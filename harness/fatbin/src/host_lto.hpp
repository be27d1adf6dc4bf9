// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Recognises objects of the host compiler's link-time optimisation (-flto). They contain the
// compiler's own form of the program instead of machine code, with nvcc's fat binaries compressed
// in it.
#ifndef ARCHGRID_FATBIN_HOST_LTO_HPP
#define ARCHGRID_FATBIN_HOST_LTO_HPP

#include <string_view>

#include "elf.hpp"

namespace archgrid::fatbin {

enum class HostLto {
  none,    ///< has machine code
  opaque,  ///< LTO data alone, of unknown content
  kernels  ///< LTO data alone, which register kernels with the CUDA runtime
};

/// Classifies a relocatable object. Throws Unreadable.
HostLto host_lto_of(const Elf& elf);

/// Reports whether LLVM bitcode starts here, with or without its wrapper.
bool is_bitcode(std::string_view bytes);

/// Classifies LLVM bitcode; bitcode for GPUs, such as libdevice, is `none`.
HostLto host_lto_of_bitcode(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
