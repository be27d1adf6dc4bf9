// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides whether host code launches a kernel on a GPU, from the machine code of the host.
#ifndef ARCHGRID_LAUNCHES_HPP
#define ARCHGRID_LAUNCHES_HPP

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::launches {

/// The finding about launches of a kernel on a GPU.
enum class Launch {
  reachable,  ///< nothing that was found prevents a launch
  never,      ///< no path from a root leads to a launch: none is found, or all depend on the GPU
  unknown     ///< the host code cannot be read, or does not register the kernel
};

/// The compute capability of a GPU.
struct Gpu {
  int major = 0;
  int minor = 0;
};

/// The host code of one file. It evaluates the machine code with the compute capability of a GPU
/// and looks for paths from roots (exported functions, functions in tables) to the kernel's stub.
///
/// Memory: at most 1 byte for each byte of .text and of its symbol and relocation tables, at most
/// 16 MiB for the GPUs, and up to 500 MiB while a function of a hostile file is evaluated. Work:
/// about 10 s for the file, 3 s for each new GPU and 2 s for each kernel and GPU at most. The
/// limits count instructions, so answers do not depend on the speed of the machine. Answers within
/// a limit are kept for later questions, so the order of questions may decide whether a limit is
/// exceeded. Not thread-safe.
class HostCode {
 public:
  /// Reads the host code of a file, whose `bytes` have to outlive this object. Every answer is
  /// `unknown` for files without readable host code: no x86-64 ELF shared object or
  /// position-independent program, no .eh_frame_hdr, or no registered kernels.
  explicit HostCode(std::string_view bytes);
  ~HostCode();
  HostCode(HostCode&& other) noexcept;
  HostCode& operator=(HostCode&& other) noexcept;
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

  /// Reports whether `bytes` are of a kind of file whose host code may be read, from its header.
  static bool may_read(std::string_view bytes);

  /// Returns whether host code launches `kernel`, a mangled name, on `gpu`. The answer is
  /// `reachable` where the evaluation exceeds its limits.
  Launch launch_of(const std::string& kernel, Gpu gpu);

  /// Reports whether host code keeps `kernel` from GPUs that it queried: it launches the kernel on
  /// none of `failing`, and on at least one GPU of `working`. Assumes that a small function that
  /// queries the GPU, or branches on its compute capability, returns 0 on failing GPUs where its
  /// result cannot be computed and depends on no argument, and that flags which code sets only
  /// behind a check are clear there.
  bool is_guarded(const std::string& kernel, const std::vector<Gpu>& failing,
                  const std::vector<Gpu>& working);

  /// Reports whether a root of the host code launches `kernel` on one of `working`, and keeps it
  /// from `failing`, as is_guarded() assumes. Other roots may launch it there.
  bool is_guarded_on_some_paths(const std::string& kernel, Gpu failing,
                                const std::vector<Gpu>& working);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace archgrid::launches

#endif
