// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_ACCESS_CHECKS_HPP
#define ARCHGRID_CPU_EMULATOR_ACCESS_CHECKS_HPP

namespace archgrid::cpu_emulator::detail {

/// Makes the executor report a kernel's actions to the checks.
void link_checks();

}  // namespace archgrid::cpu_emulator::detail

#endif
