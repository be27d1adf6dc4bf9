#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# by_hand.sh <nvcc> <argument>...
#
# Makes the same file as nvcc from one source, and compiles it through BY_HAND_LAUNCHER, a command
# line that calls ccache. ccache only supports calls with -c, so -shared and -lib are a second call,
# without ccache.
set -eu
nvcc=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
linking='' output='' source='' count=$#
while [ "$count" -gt 0 ]; do
  case $1 in
    -shared | -lib) linking=$1 ;;
    -o) output=$2; shift; count=$((count - 1)) ;;
    *.cu)
      if [ -n "$source" ]; then
        echo "by_hand.sh: one source at a time: $source, $1" >&2
        exit 2
      fi
      source=$1
      ;;
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
