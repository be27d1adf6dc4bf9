// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {
namespace {

// Limits: nobody reads more, and hostile files control the length of names and messages.
constexpr std::size_t kMaxErrors = 1000;
constexpr std::size_t kLongestMessage = 1000;

/// The first errors of files as text, and the number of the others.
class Errors {
 public:
  void add(const fatbin::File& file) {
    for (const auto& error : file.errors) {
      if (takes_one()) errors_.push_back(error_text(file.path, error));
    }
    for (const auto& image : file.images) {
      if (!image.error.empty() && takes_one()) errors_.push_back(text_of(file, image));
    }
  }

  std::vector<std::string> take() {
    if (left_out_ > 0) errors_.push_back(fmt::format("and {} more errors", left_out_));
    return std::move(errors_);
  }

 private:
  bool takes_one() {
    if (errors_.size() < kMaxErrors) return true;
    ++left_out_;
    return false;
  }

  static std::string text_of(const fatbin::File& file, const fatbin::Image& image) {
    return error_text(file.path,
                      {0, fmt::format("{} image {} of module {}: {}", fatbin::name_of(image.kind),
                                      image.arch.text(), image.module, image.error)});
  }

  std::vector<std::string> errors_;
  std::size_t left_out_ = 0;
};

}  // namespace

std::string error_text(const std::string& path, const fatbin::Error& error) {
  const auto message = fatbin::shortened(error.message, kLongestMessage);
  return fatbin::printable(
      error.offset == 0 ? fmt::format("{}: {}", path, message)
                        : fmt::format("{}: at offset {:#x}: {}", path, error.offset, message));
}

std::vector<std::string> errors_of(const fatbin::File& file) {
  Errors errors;
  errors.add(file);
  return errors.take();
}

std::vector<std::string> errors_of(const std::vector<fatbin::File>& files) {
  Errors errors;
  for (const auto& file : files) errors.add(file);
  return errors.take();
}

}  // namespace archgrid::coverage
