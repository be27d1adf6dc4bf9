// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <archgrid/report/list.hpp>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace archgrid::report {
namespace {

/// An arch with the sort order: by number, machine code before PTX.
using Arch = std::tuple<int, bool, std::string>;

Arch image_arch(const fatbin::Image& image) {
  const bool is_ptx = image.kind == fatbin::Kind::ptx;
  return {image.arch.number, is_ptx, (is_ptx ? "compute_" : "sm_") + image.arch.text()};
}

/// A kernel's name, and the numbers of its archs.
struct Entry {
  std::string_view name;
  std::vector<std::size_t> archs;
};

bool comes_first(const Entry& left, const Entry& right) {
  return left.name < right.name;
}

/// The kernels of a file by name, each with its archs. Large libraries have 60,000 kernels with
/// 20,000 long names and common prefixes; all threads share the hashing, sorting and writing.
class Names {
 public:
  explicit Names(const fatbin::File& file) : file_(file) {
    number_archs();
    std::vector<std::vector<Entry>> shares(threads_for(file.images.size()));
    parallel_for(shares.size(), [&](std::size_t share, std::size_t) {
      shares[share] = sorted_share(share, shares.size());
    });
    for (auto& share : shares) add(std::move(share));
  }

  void write(const Sink& sink) {
    constexpr std::size_t kPiece = 1024;
    std::vector<std::string> pieces((entries_.size() + kPiece - 1) / kPiece);
    parallel_for(pieces.size(), [&](std::size_t piece, std::size_t) {
      const auto end = std::min((piece + 1) * kPiece, entries_.size());
      for (auto at = piece * kPiece; at < end; ++at) pieces[piece] += line(entries_[at]);
    });
    for (const auto& piece : pieces) sink(piece);
  }

 private:
  /// Numbers the archs in output order.
  void number_archs() {
    std::map<Arch, std::size_t> numbers;
    for (const auto& image : file_.images) numbers.emplace(image_arch(image), 0);
    for (auto& [arch, number] : numbers) {
      number = archs_.size();
      archs_.push_back(std::get<std::string>(arch));
    }
    for (const auto& image : file_.images) arch_of_image_.push_back(numbers.at(image_arch(image)));
  }

  /// Returns the kernels of one share of the names, selected by hash. An image mostly has the
  /// kernels of the preceding one, for another architecture: comparing names is faster than looking
  /// them up.
  [[nodiscard]] std::vector<Entry> sorted_share(std::size_t share, std::size_t shares) const {
    constexpr auto kOfOthers = static_cast<std::size_t>(-1);
    std::vector<Entry> entries;
    std::unordered_map<std::string_view, std::size_t> found;
    // From the preceding images, by place. A kernel without a name is looked up.
    std::vector<std::pair<std::string_view, std::size_t>> known;
    const auto find = [&](std::string_view name) {
      if (std::hash<std::string_view>()(name) % shares != share) return kOfOthers;
      const auto [entry, is_new] = found.emplace(name, entries.size());
      if (is_new) entries.push_back({name, {}});
      return entry->second;
    };
    for (std::size_t image = 0; image < file_.images.size(); ++image) {
      const auto& kernels = file_.images[image].kernels;
      if (known.size() < kernels.size()) known.resize(kernels.size());
      for (std::size_t place = 0; place < kernels.size(); ++place) {
        auto& [name, entry] = known[place];
        const auto& wanted = kernels[place].name;
        if (name.empty() || name != wanted) known[place] = {wanted, find(wanted)};
        if (entry != kOfOthers) entries[entry].archs.push_back(arch_of_image_[image]);
      }
    }
    std::sort(entries.begin(), entries.end(), comes_first);
    return entries;
  }

  void add(std::vector<Entry> share) {
    const auto middle = static_cast<std::ptrdiff_t>(entries_.size());
    std::move(share.begin(), share.end(), std::back_inserter(entries_));
    std::inplace_merge(entries_.begin(), entries_.begin() + middle, entries_.end(), comes_first);
  }

  [[nodiscard]] std::string line(Entry& entry) const {
    auto line = fatbin::printable(std::string(entry.name));
    auto& archs = entry.archs;
    std::sort(archs.begin(), archs.end());
    archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
    for (const auto arch : archs) line += ' ' + archs_[arch];
    return line += '\n';
  }

  const fatbin::File& file_;
  std::vector<std::string> archs_;
  std::vector<std::size_t> arch_of_image_;  ///< by image, indices into archs_
  std::vector<Entry> entries_;
};

}  // namespace

void list_names(const std::vector<fatbin::File>& files, const Sink& sink) {
  for (const auto& file : files) {
    if (files.size() > 1) sink(fatbin::printable(file.path) + ":\n");
    Names(file).write(sink);
  }
}

}  // namespace archgrid::report
