// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "outputs.hpp"

namespace archgrid::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr std::size_t kUsualColumns = 80;
constexpr std::size_t kMinColumns = 20;
constexpr std::size_t kMaxColumns = 10000;
constexpr const char* kErase = "\r\x1b[K";

// Reports whether the descriptor is a terminal on which a line can be erased.
bool is_terminal(int descriptor) {
  const char* const kind = std::getenv("TERM");
  return system::is_terminal(descriptor) && (kind == nullptr || std::string_view(kind) != "dumb");
}

}  // namespace

std::size_t columns_of(int descriptor) {
  const char* const wanted = std::getenv("COLUMNS");
  const auto columns = wanted == nullptr ? 0 : std::strtoul(wanted, nullptr, 10);
  if (columns >= kMinColumns && columns <= kMaxColumns) return columns;
  const auto shown = system::terminal_columns(descriptor);
  return shown > 0 ? shown : kUsualColumns;
}

ProgressLine::ProgressLine(int descriptor)
    : descriptor_(descriptor), terminal_(is_terminal(descriptor)) {}

ProgressLine::~ProgressLine() {
  erase();
}

void ProgressLine::show(std::string text) {
  if (!terminal_) return;
  const auto columns = columns_of(descriptor_);
  if (text.size() >= columns) text.resize(columns - 1);
  write(kErase + text);
  shown_ = true;
}

void ProgressLine::erase() {
  if (shown_) write(kErase);
  shown_ = false;
}

void ProgressLine::show(const archive::Progress& progress) {
  if (!terminal_ || std::chrono::steady_clock::now() - begin_ < kPatience) return;
  const auto counts = fmt::format(": {} of {} files, {} MB", progress.read, progress.found,
                                  progress.bytes / 1'000'000);
  auto path = "reading " + fatbin::printable(progress.path);
  const auto columns = columns_of(descriptor_);
  const auto room = columns > counts.size() ? columns - counts.size() - 1 : 0;
  if (path.size() > room) path.resize(room);
  show(path + counts);
}

void SignsOfLife::tick(const std::string& text) {
  if (line_.is_on_terminal()) {
    line_.show(text);
  } else if (Clock::now() - last_ >= every_) {
    print_lines(text);
  }
}

void SignsOfLife::print_lines(const std::string& text) {
  line_.erase();
  print(stdout, text + '\n');
  std::fflush(stdout);
  last_ = Clock::now();
}

std::chrono::seconds SignsOfLife::elapsed() const {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_);
}

void ProgressLine::write(const std::string& text) const {
  system::write_unbuffered(descriptor_, text);
}

}  // namespace archgrid::cli
