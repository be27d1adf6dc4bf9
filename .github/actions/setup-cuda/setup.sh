#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Provides the CUDA toolkits of MATRIX, a matrix file, or the toolkit CUDA with LIBRARIES ("cublas
# cusparse"). Of CUDA it also sets CUDA_HOME, and puts nvcc on PATH, for the steps that follow.
set -eu
LIBRARIES=${LIBRARIES-}

root=$(cd "$(dirname "$0")/../../.." && pwd)
fail() {
  printf '::error title=setup-cuda::%s\n' "$1"
  exit 2
}

matrix=${MATRIX-}
if [ -n "$matrix" ] && [ -n "${CUDA-}" ]; then
  fail "name a matrix file or a CUDA version, not both"
elif [ -z "$matrix" ] && [ -z "${CUDA-}" ]; then
  fail "name a CUDA version (cuda: \"13.0\") or a matrix file"
fi
if [ -n "${CUDA-}" ]; then
  case $CUDA$LIBRARIES in
    *[!0-9a-zA-Z.\ ]*) fail "cuda and libraries: versions as \"13.0\", names as \"cublas cusparse\"" ;;
  esac
  libraries=$(printf '%s' "$LIBRARIES" | sed 's/[a-zA-Z0-9]\{1,\}/"&"/g; s/" *"/", "/g')
  [ -z "$libraries" ] || libraries=", \"libraries\": [$libraries]"
  matrix=${RUNNER_TEMP:-/tmp}/archgrid-setup-cuda.json
  printf '{"name": "setup", "toolkits": [{"cuda": "%s", "archs": ["90"]%s}]}\n' \
    "$CUDA" "$libraries" >"$matrix"
fi
"$root/setup" --matrix "$matrix"
[ -n "${CUDA-}" ] || exit 0
cmake "-DCUDA=$CUDA" "-DLIBRARIES=$LIBRARIES" -P "$(dirname "$0")/toolkit.cmake"
