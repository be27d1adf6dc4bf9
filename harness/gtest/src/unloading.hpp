// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_GTEST_UNLOADING_HPP
#define ARCHGRID_GTEST_UNLOADING_HPP

#include <functional>

namespace archgrid::gtest {

/// From here on the action is done before and after this program, and not a shared library of it,
/// calls dlclose(): in whatever thread does, one at a time. None: nothing is done any more.
void around_unloading(std::function<void()> action);

}  // namespace archgrid::gtest

#endif
