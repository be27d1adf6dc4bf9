#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# by_hand.sh <nvcc> <argument>...: makes the file that nvcc would, of one source, and takes what is compiled from
# BY_HAND_LAUNCHER, words that call ccache. It takes calls with -c alone, so what -shared and -lib do is a second call.
set -eu
nvcc=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
linking='' output='' source='' count=$#
while [ "$count" -gt 0 ]; do
  case $1 in
    -shared | -lib) linking=$1 ;;
    -o) output=$2; shift; count=$((count - 1)) ;;
    *.cu) source=$1 ;;
    *) set -- "$@" "$1" ;;
  esac
  shift
  count=$((count - 1))
done
if [ -z "$linking" ]; then
  $BY_HAND_LAUNCHER "$nvcc" "$@" -c -MD -MF "$scratch/depend" -o "$output" "$source"
else
  $BY_HAND_LAUNCHER "$nvcc" "$@" -c -MD -MF "$scratch/depend" -o "$scratch/object.o" "$source"
  "$nvcc" "$@" "$linking" -o "$output" "$scratch/object.o"
fi
