// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans the shortest list of archs that serves promised devices, and reports which devices use the
// archs of a file.
#ifndef ARCHGRID_COVERAGE_ARCH_PLAN_HPP
#define ARCHGRID_COVERAGE_ARCH_PLAN_HPP

#include <archgrid/coverage/facts.hpp>
#include <archgrid/coverage/promise.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Requirements of one device on an arch list.
struct Wanted {
  ComputeCapability device;
  Verdicts accept;               ///< accepted by every promise for it; may be empty
  std::optional<Driver> driver;  ///< the oldest promised; one that lacks the device wins
};

/// Returns one entry per promised device, ascending. One build has one arch list, so a promise for
/// some kernels counts for all.
std::vector<Wanted> wanted_devices(const std::vector<Promise>& promises);

enum class PtxWish {
  where_accepted,  ///< if machine code gives no accepted verdict, and `jit` is accepted
  fallback,        ///< also for GPUs newer than the promised ones
  never
};

struct PlanRequest {
  Version toolkit;  ///< must be in the table
  std::vector<Wanted> devices;
  std::vector<fatbin::Arch> with;  ///< always built: kernels need their instructions
  PtxWish ptx = PtxWish::where_accepted;
};

/// One entry of the list.
struct PlannedArch {
  fatbin::Arch arch;
  bool sass = false;
  bool ptx = false;
};

inline bool operator==(const PlannedArch& left, const PlannedArch& right) {
  return left.arch == right.arch && left.sass == right.sass && left.ptx == right.ptx;
}

/// The code that serves a promised device.
struct Service {
  ComputeCapability device;
  Verdict verdict = Verdict::native;
  fatbin::Arch arch;  ///< of the code that the device loads
  bool ptx = false;   ///< the code is PTX
};

/// A promised device that no list of the toolkit's archs serves.
struct Unserved {
  enum class Barrier {
    driver_too_old,   ///< the promised driver does not know the device yet
    driver_too_new,   ///< the promised driver no longer supports the device
    contradiction,    ///< its promises have no accepted verdict in common
    toolkit_too_new,  ///< the promised driver does not run the toolkit's output
    not_accepted,     ///< an arch of the list serves it, with a verdict that is not accepted
    no_code           ///< no output of the toolkit serves it
  };
  ComputeCapability device;
  Barrier barrier = Barrier::no_code;
  Facts facts;                ///< names and numbers for the sentence
  std::vector<Version> able;  ///< toolkits with an arch that serves it, ascending
};

struct ArchPlan {
  Version toolkit;
  Version ptx_isa;                       ///< of the toolkit's PTX
  std::vector<PlannedArch> archs;        ///< ascending
  std::vector<Service> served;           ///< ascending
  std::vector<Unserved> unserved;        ///< ascending
  std::optional<fatbin::Arch> fallback;  ///< its PTX is for GPUs newer than promised
  /// Set if every promise accepts `jit`: PTX of this arch alone suffices and is shorter than
  /// `archs`.
  std::optional<fatbin::Arch> ptx_alone;
};

/// Returns the shortest list of the toolkit's archs whose machine code gives every device an
/// accepted verdict. Prefers the list with the most `native` devices, then the fewest suffixes (`f`
/// before `a`), then the lowest numbers. Adds PTX as requested. Throws std::invalid_argument if the
/// table lacks the toolkit, if the toolkit cannot compile for an arch of `with`, or if nvcc refuses
/// two archs of `with` together.
ArchPlan plan_archs(const PlanRequest& request);

/// Returns the arch that plan_archs() lists for one device alone, or nothing if no arch of the
/// toolkit serves it. Throws std::invalid_argument if the table lacks the toolkit.
std::optional<PlannedArch> arch_for(Version toolkit, const Wanted& wanted);

/// Returns the driver that reads PTX of this ISA: "driver 580 or newer".
std::string driver_for(Version ptx_isa);

/// An arch list as build systems write it.
struct Spellings {
  std::string cmake;          ///< for CMAKE_CUDA_ARCHITECTURES: "75-real;90"
  std::string nvcc;           ///< arguments: "-gencode arch=compute_75,code=sm_75 ..."
  std::string torch;          ///< for TORCH_CUDA_ARCH_LIST: "7.5;9.0+PTX"; empty if impossible
  std::string torch_problem;  ///< why `torch` is empty
  std::vector<std::string> matrix;  ///< for "archs" of a matrix file: 75-real, 90
};

Spellings spell(const std::vector<PlannedArch>& archs);

/// The images of one kind and arch in some files.
struct ArchUse {
  fatbin::Kind kind = fatbin::Kind::other;
  fatbin::Arch arch;
  std::size_t images = 0;
  std::size_t kernels = 0;             ///< distinct names
  std::uint64_t bytes = 0;             ///< decompressed
  std::uint64_t stored = 0;            ///< in the files
  std::set<ComputeCapability> takers;  ///< promised devices that load one of the images or more
  bool planned = false;
  /// If not planned: the kernels that a promised device loads from these images with an accepted
  /// verdict, and that no image of a planned arch serves there.
  std::size_t irreplaceable = 0;
  bool judged = true;  ///< false: LTO-IR and unread kinds, whose use is unknown
};

/// Returns the images in the files and the promised devices that load them, machine code first,
/// then by arch. A kernel of registered modules uses an image of each module. A kernel that host
/// code picks uses the module that serves it best.
std::vector<ArchUse> arch_use(const std::vector<fatbin::File>& files,
                              const std::vector<Promise>& promises,
                              const std::vector<PlannedArch>& planned);

}  // namespace archgrid::coverage

#endif
