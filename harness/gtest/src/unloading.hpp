// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_GTEST_UNLOADING_HPP
#define ARCHGRID_GTEST_UNLOADING_HPP

#include <functional>

namespace archgrid::gtest {

/// Sets an action that runs before and after each dlclose() of this program, but not of its shared
/// libraries: in the calling thread, one at a time. An empty function removes the action.
void around_unloading(std::function<void()> action);

}  // namespace archgrid::gtest

#endif
