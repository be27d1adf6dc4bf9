#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# run_sanitizer.sh TOOLKIT PROGRAM [ARGUMENT...]
#
# Runs a GPU test program under compute-sanitizer, from PATH or from the folder of a toolkit. Exits
# with the program's own code, with 86 if the sanitizer found errors or did not report that there
# are none, and with 77 if there is no sanitizer.
set -u
toolkit=$1
shift
sanitizer=$(command -v compute-sanitizer) || sanitizer=$toolkit/bin/compute-sanitizer
if [ ! -x "$sanitizer" ]; then
  echo "archgrid: skipped: no-sanitizer: compute-sanitizer is neither on PATH nor in $toolkit"
  exit 77
fi
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
"$sanitizer" --error-exitcode 86 --check-exit-code yes --leak-check full --padding 512 "$@" >"$said" 2>&1
status=$?
cat "$said"
# A failing program exits with its own code, whatever the sanitizer found. If a program exits before
# it uses CUDA, the sanitizer prints no summary.
if grep -q 'ERROR SUMMARY: [1-9]' "$said"; then
  status=86
elif [ $status -eq 0 ] && ! grep -q 'ERROR SUMMARY: 0 errors' "$said"; then
  status=86
fi
if [ $status -eq 86 ]; then
  echo "archgrid: failed: sanitizer: compute-sanitizer found errors, or did not say that there are none, see above"
fi
exit $status
