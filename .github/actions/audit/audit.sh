#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Installs the published command, and audits files with it:
#   FILES    files and folders, one a line; a line may be a pattern: dist/*.whl
#   GPUS     GPUs that they must run on: "A100,H100"; empty: none is promised
#   ACCEPT   verdicts that keep the promise; MATRIX: a matrix file with promises
#   SARIF    file to write; VERSION: of archgrid; empty: the newest
# Exits with the command's code. ARCHGRID_COMMAND names a command to use instead.
set -u

# Prints and runs a command.
run() {
  printf '+'
  printf ' %s' "$@" | tr '\r\n' '  '
  printf '\n'
  "$@"
}

fail() {
  printf '::error title=archgrid::%s\n' "$1"
  exit 2
}

command=${ARCHGRID_COMMAND-}
if [ -z "$command" ]; then
  packages=${RUNNER_TEMP:-/tmp}/archgrid-audit
  run python3 -m venv "$packages" || fail "python3 cannot make a virtual environment: install python3-venv"
  run "$packages/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
    "archgrid${VERSION:+==$VERSION}" || fail "pip cannot install archgrid${VERSION:+ $VERSION}"
  command=$packages/bin/archgrid
fi

set -- audit --github
[ -z "${SARIF-}" ] || set -- "$@" "--sarif=$SARIF"
[ -z "${GPUS-}" ] || set -- "$@" "--gpu=$GPUS"
[ -z "${ACCEPT-}" ] || set -- "$@" "--accept=$ACCEPT"
[ -z "${MATRIX-}" ] || set -- "$@" "--matrix=$MATRIX"
set -- "$@" --
options=$#
old=$IFS
IFS='
'
for line in ${FILES-}; do # the shell expands patterns
  [ -e "$line" ] || fail "files: $line does not exist"
  set -- "$@" "$line"
done
IFS=$old
[ $# -gt "$options" ] || fail "files: name what to audit, such as dist/*.whl"
run "$command" "$@"
