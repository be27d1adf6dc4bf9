// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The reason of a verdict, as data; harness/words writes the sentence.
#ifndef ARCHGRID_COVERAGE_REASON_HPP
#define ARCHGRID_COVERAGE_REASON_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace archgrid::coverage {

/// The reason, after the verdict that it goes with. "The image" means the image of Reason::kind and
/// Reason::arch. If Reason::is_of_one_link, the verdict is `unknown`, whatever the list says.
enum class Why : std::uint8_t {
  machine_code,        ///< native, compatible: the image is machine code that the device loads
  ptx,                 ///< jit: the image is PTX that the driver compiles
  ptx_without_isa,     ///< unknown: the image is PTX that records no ISA
  ptx_beyond_table,    ///< unknown: its ISA is newer than any that the driver is known to read
  ptx_too_new,         ///< ptx_too_new: its ISA is newer than the driver reads
  no_image,            ///< missing: no image of the module serves the device
  disagreement,        ///< unknown: sources disagree whether the device loads the image
  opaque,              ///< unknown: only the image, which cannot be judged, may serve the device
  suffix,              ///< wrong_suffix: only the suffix prevents the image from serving the device
  unreadable,          ///< unknown: the device selects the image, which could not be read
  undefined,           ///< unknown: the image uses a symbol that nothing defines
  idle,                ///< empty: the image's body does no work, but another of the kernel does
  twins,               ///< unknown: of the images of its kind and arch, only some have the kernel
  lacking,             ///< missing: the device selects the image, which lacks the kernel
  no_object,           ///< missing: no relocatable object contains the kernel for the device
  relinked,            ///< jit: relocatable objects are compiled and linked at load time
  object_opaque,       ///< unknown: the image of an object may be linkable, which cannot be judged
  object_without_ptx,  ///< missing: an object has no PTX to link
  object_unreadable    ///< unknown: the image of an object could not be read
};

/// Rare parts of a reason; copies share them.
struct ReasonDetail {
  std::string text;              ///< the PTX ISA, the error, or the undefined symbol
  std::string object;            ///< the relocatable object
  std::optional<Driver> driver;  ///< the driver that cannot read the PTX
};

struct Reason {
  Why why = Why::no_image;
  fatbin::Kind kind = fatbin::Kind::other;
  fatbin::Body body = fatbin::Body::unknown;  ///< of `idle`
  /// The object may belong to any of several device links; the reason applies only if it belongs to
  /// that of the kernel.
  bool is_of_one_link = false;
  fatbin::Arch arch;
  std::uint32_t objects = 0;      ///< of `relinked`
  std::uint32_t picked_from = 0;  ///< modules from which host code picks; 0 if there is no choice
  std::uint32_t implementations = 1;           ///< of kernels with this name in these modules
  std::shared_ptr<const ReasonDetail> detail;  ///< may be null
};

/// Equal reasons produce the same sentence for one device.
bool operator==(const Reason& left, const Reason& right);
bool operator<(const Reason& left, const Reason& right);

std::size_t hash_of(const Reason& reason);

}  // namespace archgrid::coverage

#endif
