// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_UTF8_LOCALE_HPP
#define ARCHGRID_SYSTEM_UTF8_LOCALE_HPP

namespace archgrid::system {

/// Sets a UTF-8 locale for this thread while it exists. On Windows prepare_process() sets one for
/// the whole process.
class Utf8Locale {
 public:
  Utf8Locale();
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale();

 private:
  [[maybe_unused]] void* before_ = nullptr;
};

}  // namespace archgrid::system

#endif
