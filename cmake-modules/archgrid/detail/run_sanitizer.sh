#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# run_sanitizer.sh TOOLKIT PROGRAM [ARGUMENT...]
#
# Runs a GPU test program under compute-sanitizer, from PATH or from the folder of a toolkit. Ends with the
# program's own exit code, with 86 if the sanitizer found something, and with 77 where there is none.
set -u
toolkit=$1
shift
sanitizer=$(command -v compute-sanitizer) || sanitizer=$toolkit/bin/compute-sanitizer
if [ ! -x "$sanitizer" ]; then
  echo "archgrid: skipped: no-sanitizer: compute-sanitizer is neither on PATH nor in $toolkit"
  exit 77
fi
"$sanitizer" --error-exitcode 86 --check-exit-code yes --leak-check full --padding 512 "$@"
status=$?
# A sanitizer that does not start the program must not pass for one that found nothing.
case $status in
  86) echo "archgrid: failed: sanitizer: compute-sanitizer found errors, see above" ;;
esac
exit $status
