// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PROMISES_ERROR_HPP
#define ARCHGRID_PROMISES_ERROR_HPP

#include <stdexcept>

namespace archgrid::promises {

/// A promise, or a name in it, that cannot be read as written. The message has the fix.
struct PromiseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Restrictions that leave no promised device.
struct NothingPromised : PromiseError {
  using PromiseError::PromiseError;
};

}  // namespace archgrid::promises

#endif
