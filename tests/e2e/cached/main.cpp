// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

int main() {}
