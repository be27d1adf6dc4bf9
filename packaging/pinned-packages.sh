# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Functions of the scripts of this folder that run Python programs at pinned versions. They call the
# script's own fail CODE MESSAGE.

# provide_packages REQUIREMENTS CACHE: sets packages, a folder below CACHE with the packages of the
# file for this Python. Fails with 3 if pip cannot provide them, with 1 if hashes differ.
provide_packages() {
  local partial log code=3 requirements=$1 cache=$2
  command -v python3 >/dev/null || fail 3 "python3 was not found. Install it (Debian: apt-get install python3-pip)"
  command -v flock >/dev/null || fail 3 "flock was not found. Install it (Debian: apt-get install util-linux)"
  packages=$cache/$(python3 -c 'import sys; print(*sys.version_info[:2], sep=".")')-$(sha256sum <"$requirements" | cut -c 1-12)
  [ ! -d "$packages" ] || return 0
  exec 9>"$cache/.lock"
  flock 9
  [ ! -d "$packages" ] || return 0
  python3 -m pip --version >/dev/null 2>&1 || fail 3 "python3 has no pip. Install it (Debian: apt-get install python3-pip)"
  rm -rf "$cache"/.partial-*
  partial=$(mktemp -d "$cache/.partial-XXXXXX")
  log=$partial.log
  if ! PIP_USER=0 python3 -m pip install --disable-pip-version-check --require-hashes --no-deps --only-binary :all: \
    --target "$partial" -r "$requirements" >"$log" 2>&1; then
    tail -n 15 "$log" | sed 's/^/    /' >&2
    ! grep -q 'DO NOT MATCH THE HASHES' "$log" || code=1
    fail "$code" "pip failed, its last lines are above: check the network and pip's configuration (pip config list)"
  fi
  rm "$log"
  chmod 755 "$partial"
  mv -T "$partial" "$packages"
}
