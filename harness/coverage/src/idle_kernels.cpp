// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "idle_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "audit_notes.hpp"
#include "ignore.hpp"
#include "joined.hpp"

namespace archgrid::coverage {
namespace {

/// Reports whether a name says that its kernel is empty by design, or is one of Thrust or CUB,
/// which instantiate kernels that nobody needs.
bool is_empty_by_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {
      "empty", "noop", "no_op", "nothing", "dummy", "idle", "warmup", "warm_up", "null_kernel"};
  if (name.starts_with("_ZN6thrust") || name.starts_with("_ZN3cub")) return true;
  std::string small(name);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

IdleKernels idle_kernels(const fatbin::File& file) {
  IdleKernels idle;
  const auto superseded = fatbin::superseded_ptx(file.images);
  const auto visit = [&](const auto& with) {
    for (std::size_t index = 0; index < file.images.size(); ++index) {
      if (superseded[index]) continue;
      for (const auto& kernel : file.images[index].kernels) with(kernel);
    }
  };
  visit([&](const fatbin::Kernel& kernel) {
    if (!fatbin::is_idle(kernel.body)) return;
    const bool reports =
        fatbin::prints_or_asserts(kernel.body) || kernel.body == fatbin::Body::trap;
    (reports ? idle.reporting : idle.others).insert(kernel.name);
  });
  if (idle.reporting.empty() && idle.others.empty()) return idle;
  visit([&](const fatbin::Kernel& kernel) {
    if (fatbin::is_idle(kernel.body)) return;
    idle.reporting.erase(kernel.name);
    idle.others.erase(kernel.name);
  });
  for (const auto name : idle.others) idle.reporting.erase(name);
  std::erase_if(idle.others, is_empty_by_name);
  return idle;
}

/// Reports whether ignores cover the kernel on every promised device; false without such devices.
bool is_ignored_everywhere(const KernelRow& kernel, const std::vector<ComputeCapability>& devices,
                           const std::vector<Ignore>& ignores) {
  std::set<ComputeCapability> left(devices.begin(), devices.end());
  if (left.empty()) return false;
  for (const auto& ignore : ignores) {
    if (!ignore.code.empty() || !matches_kernel(ignore.kernel, kernel)) continue;
    std::erase_if(left, [&](ComputeCapability device) { return is_there(ignore, device); });
  }
  return left.empty();
}

/// Drops kernels that ignores cover, and those that are findings because they work elsewhere.
void drop_explained(const FileAudit& audit, const std::vector<ComputeCapability>& devices,
                    const Request& request, KernelNames& names) {
  const auto elsewhere = request.elsewhere.find(audit.file.path);
  for (const auto& row : audit.rows) {
    if (names.empty()) return;
    const std::string& name = row.kernel.name.str();
    const auto found = names.find(name);
    if (found == names.end()) continue;
    const bool works =
        elsewhere != request.elsewhere.end() &&
        (elsewhere->second.surely.count(name) != 0 || elsewhere->second.maybe.count(name) != 0);
    if (works || is_ignored_everywhere(row.kernel, devices, request.ignores)) names.erase(found);
  }
}

/// Returns the first names, shortened and without duplicates.
std::vector<std::string> first_of(const KernelNames& names, std::size_t most) {
  constexpr std::size_t kLongestName = 40;
  std::vector<std::string> first;
  for (auto name = names.begin(); name != names.end() && first.size() < most; ++name) {
    const auto plain = without_signature(fatbin::demangle(std::string(*name)));
    auto text = fatbin::shortened(without_namespaces(plain), kLongestName);
    if (std::find(first.begin(), first.end(), text) == first.end())
      first.push_back(std::move(text));
  }
  return first;
}

Facts facts_on(const KernelNames& names, std::size_t most) {
  const auto first = first_of(names, most);
  return {{"kernels", std::to_string(names.size())},
          {"first", joined(first)},
          {"named", std::to_string(first.size())}};
}

/// Names a file in which one of the kernels works. A name in another file may mean other code.
void add_working_file(const KernelNames& names, const IdleByFile& idle, Facts& facts) {
  for (const auto name : names) {
    const auto found = idle.working.find(name);
    if (found == idle.working.end()) continue;
    facts["works"] = first_of({name}, 1).front();
    facts["works-in"] = fatbin::printable(found->second->path);
    return;
  }
}

}  // namespace

IdleByFile find_idle_kernels(const std::vector<FileAudit>& files) {
  IdleByFile idle;
  KernelNames all;
  for (const auto& audit : files) {
    const auto& found = idle.files.emplace_back(idle_kernels(audit.file));
    all.insert(found.others.begin(), found.others.end());
  }
  if (all.empty() || files.size() == 1) return idle;
  for (const auto& audit : files) {
    for (const auto& image : audit.file.images) {
      for (const auto& kernel : image.kernels) {
        const bool works = kernel.body == fatbin::Body::code && all.count(kernel.name) != 0;
        if (works) idle.working.emplace(kernel.name, &audit.file);
      }
    }
  }
  return idle;
}

void note_idle_kernels(std::size_t index, const IdleByFile& idle, const Request& request,
                       Audit& result) {
  const auto& audit = result.files[index];
  auto [reporting, others] = idle.files[index];
  drop_explained(audit, result.devices, request, reporting);
  drop_explained(audit, result.devices, request, others);
  if (!reporting.empty()) add_note(audit.file, "only-reports", facts_on(reporting, 1), result);
  if (!others.empty()) {
    auto facts = facts_on(others, 3);
    add_working_file(others, idle, facts);
    add_note(audit.file, "does-no-work", std::move(facts), result);
  }
}

}  // namespace archgrid::coverage
