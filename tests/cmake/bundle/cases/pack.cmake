# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that cells can be packed with the zstd program and without it, and that errors name the
# command.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/bundle.cmake")
set(folder "${CASE_BINARY}/folder")
file(WRITE "${folder}/cells/program" "a program")
file(CREATE_LINK program "${folder}/cells/link" SYMBOLIC)

# Packs FOLDER with PATH, and expects an archive in the format of zstd that cmake unpacks.
function(expect_packed name path)
  set(ENV{PATH} "${path}")
  set(archive "${CASE_BINARY}/${name}.tar.zst")
  _archgrid_pack("${folder}" "${archive}" error)
  if(error)
    message(FATAL_ERROR "${name}: ${error}")
  endif()
  file(READ "${archive}" magic LIMIT 4 HEX)
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${CASE_BINARY}/${name}")
  file(READ "${CASE_BINARY}/${name}/cells/program" text)
  if(NOT magic STREQUAL "28b52ffd" OR NOT text STREQUAL "a program"
      OR NOT IS_SYMLINK "${CASE_BINARY}/${name}/cells/link")
    message(FATAL_ERROR "${name}: unpacked otherwise: ${magic}, ${text}")
  endif()
endfunction()

# Expects that FILE cannot be packed with PATH, for the reason TEXT.
function(expect_error name path file text)
  set(ENV{PATH} "${path}")
  _archgrid_pack("${folder}" "${file}" error)
  if(NOT error MATCHES "^${text}")
    message(FATAL_ERROR "${name}: expected ${text}, got ${error}")
  endif()
endfunction()

# script(<folder> <text>): a program zstd in CASE_BINARY/FOLDER. It leaves a file `called`.
function(script name text)
  file(WRITE "${CASE_BINARY}/${name}/zstd" "#!/bin/sh\necho >>'${CASE_BINARY}/called'\n${text}\n")
  file(CHMOD "${CASE_BINARY}/${name}/zstd" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

set(path "$ENV{PATH}")
file(MAKE_DIRECTORY "${CASE_BINARY}/nothing")
expect_packed(without_zstd "${CASE_BINARY}/nothing")
expect_error(nowhere "${CASE_BINARY}/nothing" "${CASE_BINARY}/absent/x.tar.zst" "cmake -E tar --zstd: .*x.tar.zst")
find_program(installed_zstd zstd NO_CACHE)
set(zstd nonsense) # a variable of the caller
if(installed_zstd)
  script(good "exec '${installed_zstd}' \"$@\"")
  expect_packed(with_zstd "${CASE_BINARY}/good:${path}")
  if(NOT EXISTS "${CASE_BINARY}/called")
    message(FATAL_ERROR "the zstd program was not used")
  endif()
endif()
script(full "cat >/dev/null; echo 'no space left' >&2; exit 1")
expect_error(full "${CASE_BINARY}/full:${path}" "${CASE_BINARY}/x.tar.zst" "cmake -E tar . zstd: no space left$")
script(silent "cat >/dev/null; exit 3")
expect_error(silent "${CASE_BINARY}/silent:${path}" "${CASE_BINARY}/x.tar.zst" "cmake -E tar . zstd: 3$")
