// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <locale.h>

#include <archgrid/system/utf8_locale.hpp>

#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace archgrid::system {

Utf8Locale::Utf8Locale() {
  static const locale_t kUtf8 = [] {
    auto* const locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    // macOS had no C.UTF-8 for long.
    return locale != nullptr ? locale : ::newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nullptr);
  }();
  if (kUtf8 != nullptr) before_ = ::uselocale(kUtf8);
}

Utf8Locale::~Utf8Locale() {
  if (before_ != nullptr) ::uselocale(static_cast<locale_t>(before_));
}

}  // namespace archgrid::system
