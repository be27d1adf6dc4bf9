// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#error "archgrid::host does not model wmma: use mma.sync through archgrid/host/tensor_core.hpp"
