// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/coverage/code_finder.hpp>
#include <set>

namespace archgrid::coverage {

std::vector<KernelCode> CodeFinder::code_of(const KernelRow& row, ComputeCapability device,
                                            const Driver* driver) {
  std::set<KernelCode> found;
  for (const auto* image : selector_.taken_images(row, device, driver)) {
    const auto* kernel = find(*image, row.name.str());
    if (kernel == nullptr) continue;
    const auto* prefix = image->kind == fatbin::Kind::ptx ? "compute_" : "sm_";
    found.insert({prefix + image->arch.text(), kernel->identity});
  }
  return {found.begin(), found.end()};
}

std::string code_hash_of(const ImageSelector& selector, ComputeCapability device) {
  CodeFinder finder(selector);
  std::set<std::string> lines;
  for (const auto& row : selector.kernels()) {
    for (const auto& code : finder.code_of(row, device, nullptr)) {
      if (code.identity.empty()) return {};
      lines.insert(fatbin::without_build(row.name.str()) + '\n' + code.arch + '\n' + code.identity);
    }
  }
  return lines.empty() ? std::string() : fatbin::hash_of({lines.begin(), lines.end()});
}

const fatbin::Kernel* CodeFinder::find(const fatbin::Image& image, const std::string& name) {
  const auto [known, is_new] = kernels_.try_emplace(&image);
  if (is_new) {
    for (const auto& kernel : image.kernels) known->second.emplace(kernel.name, &kernel);
  }
  const auto kernel = known->second.find(name);
  return kernel == known->second.end() ? nullptr : kernel->second;
}

}  // namespace archgrid::coverage
