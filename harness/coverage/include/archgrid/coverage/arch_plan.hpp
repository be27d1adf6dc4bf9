// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// From promised devices to the shortest list of archs that serves them, and what a file's archs
// are good for.
#ifndef ARCHGRID_COVERAGE_ARCH_PLAN_HPP
#define ARCHGRID_COVERAGE_ARCH_PLAN_HPP

#include <archgrid/coverage/facts.hpp>
#include <archgrid/coverage/promise.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// What one arch list must give a device.
struct Wanted {
  Device device;
  Verdicts accept;               ///< what each promise for it accepts; may be empty
  std::optional<Driver> driver;  ///< the oldest that a promise for it names; rather one without it
};

/// One entry a promised device, ascending. One build has one list of archs, so promises for some
/// kernels only count for all.
std::vector<Wanted> wanted_devices(const std::vector<Promise>& promises);

enum class PtxWish {
  where_accepted,  ///< where machine code gives no accepted verdict, and `jit` is accepted
  fallback,        ///< that, and for GPUs newer than the promised ones
  never
};

struct PlanRequest {
  Version toolkit;  ///< of the table
  std::vector<Wanted> devices;
  std::vector<fatbin::Arch> with;  ///< to be built in any case: kernels need their instructions
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

/// How a promised device is served.
struct Service {
  Device device;
  Verdict verdict = Verdict::native;
  fatbin::Arch arch;  ///< whose code it takes
  bool ptx = false;   ///< that code is PTX
};

/// A promised device that no list of the toolkit's archs serves.
struct Unserved {
  enum class Barrier {
    driver_too_old,   ///< the promised driver does not know the device yet
    driver_too_new,   ///< the promised driver does not know the device any more
    contradiction,    ///< its promises have no accepted verdict in common
    toolkit_too_new,  ///< the promised driver does not run what the toolkit makes
    not_accepted,     ///< it takes an arch of the list, with a verdict that is not accepted
    no_code           ///< nothing that the toolkit compiles serves it
  };
  Device device;
  Barrier barrier = Barrier::no_code;
  Facts facts;                ///< what the sentence names
  std::vector<Version> able;  ///< toolkits whose archs can, ascending
};

struct ArchPlan {
  Version toolkit;
  Version ptx_isa;                       ///< of the PTX that the toolkit makes
  std::vector<PlannedArch> archs;        ///< ascending
  std::vector<Service> served;           ///< ascending
  std::vector<Unserved> unserved;        ///< ascending
  std::optional<fatbin::Arch> fallback;  ///< whose PTX is for GPUs that are newer than promised
  /// Where `jit` is accepted everywhere: its PTX alone would do, shorter than `archs`.
  std::optional<fatbin::Arch> ptx_alone;
};

/// The shortest list of the toolkit's archs whose machine code gives every device an accepted
/// verdict; of equally short ones that with the most devices `native`, then with the fewest
/// suffixes (`f` before `a`), then with the lowest numbers. PTX comes in as the request wishes.
/// Throws std::invalid_argument for a toolkit that the table lacks, and where `with` has an arch
/// that the toolkit cannot compile for, or two that nvcc refuses together.
ArchPlan plan_archs(const PlanRequest& request);

/// What plan_archs() lists for one device alone. Nothing where no arch of the toolkit serves it.
/// Throws std::invalid_argument for a toolkit that the table lacks.
std::optional<PlannedArch> arch_for(Version toolkit, const Wanted& wanted);

/// "driver 580 or newer": what reads PTX of this ISA.
std::string driver_for(Version ptx_isa);

/// An arch list as build systems write it.
struct Spellings {
  std::string cmake;  ///< of CMAKE_CUDA_ARCHITECTURES: "75-real;90"
  std::string nvcc;   ///< arguments: "-gencode arch=compute_75,code=sm_75 ..."
  std::string torch;  ///< of TORCH_CUDA_ARCH_LIST: "7.5;9.0+PTX"; empty where it cannot be spelled
  std::string torch_problem;        ///< why it cannot
  std::vector<std::string> matrix;  ///< of a matrix file's "archs": 75-real, 90
};

Spellings spell(const std::vector<PlannedArch>& archs);

/// The images of one kind and arch in some files.
struct ArchUse {
  fatbin::Kind kind = fatbin::Kind::other;
  fatbin::Arch arch;
  std::size_t images = 0;
  std::size_t kernels = 0;   ///< different names
  std::uint64_t bytes = 0;   ///< decompressed
  std::uint64_t stored = 0;  ///< in the files
  std::set<Device> takers;   ///< promised devices that take one of the images for a kernel or more
  bool planned = false;
  /// Not planned: the kernels that a promised device takes from it, accepted, and that no image of
  /// a planned arch serves there.
  std::size_t irreplaceable = 0;
  bool judged = true;  ///< false: LTO-IR and kinds that are not read, whose use is not seen
};

/// What is in the files, and which promised device takes it: by kind, machine code first, then by
/// arch. A kernel that lies in registered modules takes an image of each of them; one that host
/// code picks, of the module that serves best.
std::vector<ArchUse> arch_use(const std::vector<fatbin::File>& files,
                              const std::vector<Promise>& promises,
                              const std::vector<PlannedArch>& planned);

}  // namespace archgrid::coverage

#endif
