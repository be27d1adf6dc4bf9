# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that pip installs what a lock file names, and rejects packages whose bytes changed, that
# the lock file does not name, or that have no hash. The index is a folder, so no case uses the
# network.
include("${ARCHGRID_MODULES}/archgrid/detail/fetch_pypi.cmake")
set(ENV{PIP_NO_INDEX} 1)
set(ENV{PIP_FIND_LINKS} "${CASE_BINARY}/index")
file(MAKE_DIRECTORY "${CASE_BINARY}/index")

# Adds the wheel NAME 1.0 to the index: one file with TEXT, and NEEDS in its metadata.
function(write_wheel name text needs)
  set(wheel "${CASE_BINARY}/wheel")
  file(REMOVE_RECURSE "${wheel}")
  file(WRITE "${wheel}/nvidia/${name}" "${text}")
  file(WRITE "${wheel}/${name}-1.0.dist-info/METADATA" "Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${needs}")
  file(WRITE "${wheel}/${name}-1.0.dist-info/WHEEL"
    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
  file(WRITE "${wheel}/${name}-1.0.dist-info/RECORD" "nvidia/${name},,\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "${CASE_BINARY}/index/${name}-1.0-py3-none-any.whl" --format=zip
      nvidia ${name}-1.0.dist-info WORKING_DIRECTORY "${wheel}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Installs the lock file with LINES into ${CASE_BINARY}/<name>; sets `reason`, and `installed` to
# its files.
function(install name lines)
  file(WRITE "${CASE_BINARY}/${name}.txt" "${lines}\n")
  _archgrid_pip_install_locked("${CASE_BINARY}/${name}.txt" "${CASE_BINARY}/${name}"
    "${CASE_BINARY}/work-${name}" reason)
  file(GLOB installed RELATIVE "${CASE_BINARY}/${name}/nvidia" "${CASE_BINARY}/${name}/nvidia/*")
  set(reason "${reason}" PARENT_SCOPE)
  set(installed "${installed}" PARENT_SCOPE)
endfunction()

function(expect_installed files pattern)
  if(NOT "${installed}" STREQUAL "${files}" OR NOT reason MATCHES "${pattern}")
    message(FATAL_ERROR "expected \"${files}\" and \"${pattern}\", got \"${installed}\" and: ${reason}")
  endif()
endfunction()

write_wheel(part "good" "Requires-Dist: other\n")
write_wheel(other "not named" "")
file(SHA256 "${CASE_BINARY}/index/part-1.0-py3-none-any.whl" hash)
file(SHA256 "${CASE_BINARY}/index/other-1.0-py3-none-any.whl" other_hash)
install(named "part==1.0 --hash=sha256:${hash}")
expect_installed("part" "^$")
install(both "part==1.0 --hash=sha256:${hash}\nother==1.0 --hash=sha256:${other_hash}")
expect_installed("other;part" "^$")
install(without_hash "part==1.0")
expect_installed("" "[Hh]ashes are required")
write_wheel(part "changed" "")
install(changed "part==1.0 --hash=sha256:${hash}")
expect_installed("" "DO NOT MATCH THE HASHES.*Fix: the index or mirror serves another file")

# The user's pip settings for other packages, and a folder with Python modules, have no effect.
write_wheel(part "good" "")
file(SHA256 "${CASE_BINARY}/index/part-1.0-py3-none-any.whl" hash)
file(WRITE "${CASE_BINARY}/pip/__init__.py" "")
file(WRITE "${CASE_BINARY}/pip/__main__.py" "raise SystemExit('a pip of the current folder ran')")
set(ENV{PYTHONPATH} "${CASE_BINARY}")
set(ENV{PIP_TARGET} "${CASE_BINARY}/elsewhere")
set(ENV{PIP_USER} 1)
set(ENV{PIP_CONSTRAINT} "${CASE_BINARY}/no-such-file")
set(ENV{PIP_REQUIREMENT} "${CASE_BINARY}/no-such-file")
install(settings "part==1.0 --hash=sha256:${hash}")
expect_installed("part" "^$")
