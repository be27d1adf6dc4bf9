/* SPDX-FileCopyrightText: 2026 the archgrid authors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "foreign.h"

const char* foreign_version(void) { return "1.2"; }
