// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads GPUs as people name them: "9.0", "sm_90", "H100", "NVIDIA GeForce RTX 4090".
#ifndef ARCHGRID_PROMISES_GPUS_HPP
#define ARCHGRID_PROMISES_GPUS_HPP

#include <archgrid/coverage.hpp>
#include <map>
#include <string>
#include <vector>

namespace archgrid::promises {

/// Returns the devices of a list. Throws PromiseError with a correct name.
std::vector<coverage::ComputeCapability> read_gpus(const std::vector<std::string>& texts);

/// Returns the product names in the texts: "MX450". None for compute capabilities.
std::map<coverage::ComputeCapability, std::string> names_of_gpus(
    const std::vector<std::string>& texts);

}  // namespace archgrid::promises

#endif
