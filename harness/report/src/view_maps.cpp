// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::Audit;
using coverage::ComputeCapability;
using coverage::FileAudit;
using coverage::State;

int severity(State state) {
  switch (state) {
    case State::broken:
      return 4;
    case State::ignored:
      return 3;
    case State::suspect:
      return 2;
    case State::kept:
      return 1;
    case State::not_promised:
      break;
  }
  return 0;
}

bool is_worse(ViewField left, ViewField right) {
  return std::make_tuple(severity(left.state), left.verdict) >
         std::make_tuple(severity(right.state), right.verdict);
}

/// A numbering of distinct items, in the order of their first occurrence.
class Interner {
 public:
  explicit Interner(View& view) : view_(view) {}

  std::uint32_t pattern(const std::vector<coverage::Field>& fields,
                        const std::vector<coverage::ComputeCapability>& devices) {
    Pattern pattern;
    pattern.reserve(fields.size());
    for (std::size_t at = 0; at < fields.size(); ++at) {
      const auto& field = fields[at];
      pattern.push_back({field.verdict, field.state, reason(field.reason, devices[at]),
                         field.unignored, field.in_doubt, field.hides_error});
    }
    return add(std::move(pattern));
  }

  std::uint32_t add(Pattern pattern) {
    std::string key;
    for (const auto& field : pattern) {
      key += static_cast<char>(field.verdict);
      key += static_cast<char>(field.state);
      key += static_cast<char>(field.unignored);
      key += static_cast<char>(field.in_doubt);
      key += static_cast<char>(field.hides_error);
      for (int shift = 0; shift < 32; shift += 8) {
        key += static_cast<char>((field.reason >> shift) & 0xff);
      }
    }
    const auto next = static_cast<std::uint32_t>(view_.patterns.size());
    const auto [found, fresh] = patterns_.try_emplace(std::move(key), next);
    if (fresh) view_.patterns.push_back(std::move(pattern));
    return found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<coverage::Reason, int>& key) const {
      constexpr std::size_t kFactor = 0x9e3779b97f4a7c15U;
      return (hash_of(key.first) ^ static_cast<std::size_t>(key.second)) * kFactor;
    }
  };

  std::uint32_t reason(const coverage::Reason& why, coverage::ComputeCapability device) {
    const auto [known, is_new] = reasons_.try_emplace({why, device.number()}, 0);
    if (!is_new) return known->second;
    auto text = reason_text(why, device.text());
    const auto next = static_cast<std::uint32_t>(view_.reasons.size());
    const auto [told, is_untold] = texts_.try_emplace(text, next);
    if (is_untold) view_.reasons.push_back(std::move(text));
    known->second = told->second;
    return known->second;
  }

  View& view_;
  std::unordered_map<std::pair<coverage::Reason, int>, std::uint32_t, Hash> reasons_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::unordered_map<std::string, std::uint32_t> patterns_;
};

/// Returns a key that is equal for rows of one kernel in a cell: its name, or the file of a
/// nameless module.
std::string row_key(const FileAudit& file, const coverage::KernelRow& row) {
  return row.name.empty() ? file.file.path + '\n' + row.demangled.str() : row.name.str();
}

/// Returns the last components of a path, including archive members; all of it if it is shorter.
std::string tail_of(const std::string& path, std::size_t components) {
  auto at = path.size();
  for (; components > 0 && at != std::string::npos; --components) {
    at = at == 0 ? std::string::npos : path.find_last_of("/!", at - 1);
  }
  return at == std::string::npos ? path : path.substr(at + 1);
}

/// Adds a map for each file with kernels.
void add_maps(View& view) {
  std::vector<const ViewFile*> files;
  std::vector<std::string> paths;
  for (const auto& file : view.files) {
    if (file.kernels.empty()) continue;
    files.push_back(&file);
    paths.push_back(file.audit->file.path);
  }
  const auto titles = titles_of(paths);
  for (std::size_t index = 0; index < files.size(); ++index) {
    const auto& file = *files[index];
    view.maps.push_back({titles[index], file.devices, file.kernels, file.audit->file.path});
  }
}

/// Returns a map with one row per kernel, showing the worst of its files.
ViewMap merged(const Audit& audit, const std::vector<ViewFile>& files, View& view,
               Interner& interner) {
  ViewMap map{audit.cell, &audit.devices, {}, {}};
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& file : files) {
    if (file.devices != &audit.devices) continue;
    for (const auto& kernel : file.kernels) {
      const auto [found, fresh] =
          places.try_emplace(row_key(*file.audit, *kernel.row), map.kernels.size());
      if (fresh) {
        map.kernels.push_back(kernel);
        continue;
      }
      auto& known = map.kernels[found->second];
      if (known.pattern == kernel.pattern) continue;
      auto pattern = view.pattern_of(known);
      const auto& other = view.pattern_of(kernel);
      for (std::size_t index = 0; index < pattern.size(); ++index) {
        if (is_worse(other[index], pattern[index])) pattern[index] = other[index];
      }
      known.pattern = interner.add(std::move(pattern));
    }
  }
  return map;
}

}  // namespace

DriverErrors::DriverErrors(const View& view) : by_cell_(view.report.by_cell) {
  for (const auto& group : view.findings) {
    for (const auto* finding : group.firsts) {
      if (!finding->code.starts_with("driver-too-")) continue;
      auto& gpus = gpus_[by_cell_ ? finding->cell : finding->path];
      gpus.insert(finding->devices.begin(), finding->devices.end());
      const auto device = coverage::parse_device(finding->device);
      if (device) gpus.insert(*device);
    }
  }
}

std::set<ComputeCapability> DriverErrors::gpus_of(const ViewMap& map) const {
  std::set<ComputeCapability> gpus;
  for (const auto key : {std::string_view(), by_cell_ ? std::string_view(map.title) : map.path}) {
    const auto found = gpus_.find(key);
    if (found == gpus_.end()) continue;
    for (const auto device : *map.devices) {
      if (found->second.count(device) != 0) gpus.insert(device);
    }
  }
  return gpus;
}

// All fields without a promise look the same.
std::string looks_of(const Pattern& pattern) {
  std::string looks;
  for (const auto field : pattern) {
    const bool promised = field.state != State::not_promised;
    looks += promised ? static_cast<char>(field.verdict) : '\0';
    looks += static_cast<char>(field.state);
  }
  return looks;
}

std::vector<std::string> titles_of(const std::vector<std::string>& paths) {
  const std::set<std::string> all(paths.begin(), paths.end());
  std::map<std::string, std::string> titles;
  std::vector<std::string> open(all.begin(), all.end());
  for (std::size_t components = 1; !open.empty(); ++components) {
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& path : open) alike[tail_of(path, components)].push_back(path);
    open.clear();
    for (const auto& [tail, group] : alike) {
      for (const auto& path : group) {
        if (group.size() == 1 || tail == path) {
          titles[path] = tail;
        } else {
          open.push_back(path);
        }
      }
    }
  }
  std::vector<std::string> result;
  for (const auto& path : paths) result.push_back(titles[path]);
  return result;
}

void add_rows(View& view) {
  Interner interner(view);
  for (const auto& audit : view.report.audits) {
    for (const auto& file : audit.files) {
      ViewFile shown{&file, audit.cell, &audit.devices, {}};
      shown.kernels.reserve(file.rows.size());
      for (const auto& row : file.rows) {
        shown.kernels.push_back({&row.kernel, interner.pattern(row.fields, audit.devices)});
      }
      view.files.push_back(std::move(shown));
    }
    if (!view.report.by_cell || audit.devices.empty()) continue;
    auto map = merged(audit, view.files, view, interner);
    if (!map.kernels.empty()) view.maps.push_back(std::move(map));
  }
  if (!view.report.by_cell) add_maps(view);
}

bool is_promised(const Pattern& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](ViewField field) { return field.state != State::not_promised; });
}

ViewField worst_of(const Pattern& pattern) {
  ViewField worst{coverage::Verdict::native, State::not_promised, 0};
  for (const auto& field : pattern) {
    if (is_worse(field, worst)) worst = field;
  }
  return worst;
}

bool is_broken(const Pattern& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](ViewField field) { return field.state == State::broken; });
}

std::vector<KernelGroup> groups_of(const View& view, const std::vector<ViewKernel>& kernels) {
  std::unordered_map<std::string, std::size_t> place_of_looks;
  std::unordered_map<std::uint32_t, std::size_t> place_of_pattern;
  std::vector<KernelGroup> groups;
  for (const auto& kernel : kernels) {
    const auto [known, unseen] = place_of_pattern.try_emplace(kernel.pattern, 0);
    if (unseen) {
      const auto& pattern = view.pattern_of(kernel);
      const auto [found, fresh] = place_of_looks.try_emplace(looks_of(pattern), groups.size());
      if (fresh) groups.push_back({kernel, 0, is_broken(pattern)});
      known->second = found->second;
    }
    ++groups[known->second].kernels;
  }
  std::stable_sort(
      groups.begin(), groups.end(), [](const KernelGroup& left, const KernelGroup& right) {
        return std::tie(right.broken, right.kernels) < std::tie(left.broken, left.kernels);
      });
  return groups;
}

}  // namespace archgrid::report
