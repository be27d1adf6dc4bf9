#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# write_checksums.sh PROGRAM FOLDER: packaging/write-checksums writes what sha256sum checks, and
# refuses what it cannot write. Works in the fresh FOLDER.
set -eu

program=$1
rm -rf "$2"
mkdir -p "$2/archives" "$2/wheels" "$2/together" "$2/empty"
cd "$2"
echo one >archives/a.tar.xz
echo two >"wheels/b c.whl"
"$program" archives wheels
cp archives/* wheels/* together
(cd together && sha256sum --check --strict --quiet ../SHA256SUMS)
[ "$(wc -l <SHA256SUMS)" = 2 ]
echo changed >together/a.tar.xz
if (cd together && sha256sum --check --status ../SHA256SUMS); then
  echo "a changed file went unseen" && exit 1
fi
cp SHA256SUMS before
for arguments in "" empty "archives archives" .; do
  # shellcheck disable=SC2086
  if "$program" $arguments 2>complaint; then
    echo "write-checksums $arguments: expected a refusal" && exit 1
  fi
  [ -s complaint ]
  cmp SHA256SUMS before
done
