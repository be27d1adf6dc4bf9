// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat binaries that programs register, and a driver's answer to a launch of their kernels.
#ifndef ARCHGRID_FAKE_MODULES_HPP
#define ARCHGRID_FAKE_MODULES_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/fatbin.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "settings.hpp"

namespace archgrid::fake_cudart {

/// The result of loading a kernel on a device: an error of cudaError_t, or 0 and the loaded code.
struct Loaded {
  int error = 0;
  bool compiled = false;  ///< compiled from PTX by the driver
  fatbin::Arch arch;      ///< arch of the machine code, or of the PTX
  fatbin::Arch ptx_arch;  ///< PTX that the machine code was compiled from, if recorded
  fatbin::Kernel kernel;
  std::size_t module = 0;  ///< whose code it is: index into Machine::modules
};

/// One registered fat binary and, for a device link, those of its objects. Read on first use.
class Module {
 public:
  /// `container` and `parts` point to fat binaries in memory, which must stay there.
  Module(const void* container, std::vector<const void*> parts, bool linked);

  /// Loads a kernel by coverage's rules. The errors are those that the CUDA headers document for
  /// each case.
  Loaded load(const std::string& kernel, coverage::ComputeCapability device,
              const Settings& settings);

  /// Reads the fat binary now.
  void read(bool without_machine_code);

 private:
  struct Content {
    fatbin::File file;
    std::unique_ptr<coverage::ImageSelector> selector;
  };
  struct Case;

  const Content& content(bool without_machine_code);
  static Loaded compile(const Case& asked);
  static Loaded answer(const Case& asked);
  static Loaded refuse(const Case& asked);
  static int error_of_link(const Case& asked);

  const void* container_;
  std::vector<const void*> parts_;
  bool linked_;
  std::unique_ptr<Content> content_;
};

}  // namespace archgrid::fake_cudart

#endif
