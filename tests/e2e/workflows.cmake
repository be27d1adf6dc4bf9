# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that workflows run only commands that are also run elsewhere: each `run:` line is one of
# these, which the end-to-end cases and the README's commands execute (pipeline.cmake: those of
# matrix.yml and of the actions). Actions are pinned by commit, permissions are minimal, and `run:`
# lines contain no expressions, which would be code there.
set(known
  "apt-get update && apt-get install --yes git ca-certificates"
  "apt-get update && apt-get install --yes git ca-certificates zstd"
  ".ci/run"
  "archgrid/setup"
  "archgrid/.github/actions/attest-gpu/attest.sh"
  "archgrid/.github/actions/setup-cuda/setup.sh"
  "cmake -P archgrid/.github/matrix/command.cmake"
  "cmake -P archgrid/.github/matrix/plan.cmake"
  "cmake -P archgrid/.github/matrix/build.cmake"
  "cmake -P archgrid/.github/matrix/audit.cmake"
  "cmake -P archgrid/.github/matrix/test.cmake"
  "cmake -P archgrid/.github/matrix/perf.cmake"
  "cmake -P archgrid/.github/matrix/report.cmake"
  "cmake -E rm -rf bundles cells plan prefix results"
  "cmake -E rm -rf base base-bundles bundles head plan results"
  "'\"$GITHUB_ACTION_PATH/attest.sh\"'"
  "'\"$GITHUB_ACTION_PATH/audit.sh\"'"
  "'\"$GITHUB_ACTION_PATH/setup.sh\"'"
  "cmake -P \"$GITHUB_ACTION_PATH/../../matrix/report.cmake\""
  "packaging/build-wheels all"
  "packaging/build-site"
  "archgrid/packaging/write-checksums archives wheels")
# Commands of a release, which only a runner of GitHub runs.
set(known_of_release
  "apt-get update && apt-get install --yes git ca-certificates python3-venv python3-pip cmake ninja-build dpkg-dev tcl xz-utils"
  "dnf install --assumeyes python3.12"
  "'\"$PYTHON\" packaging/try-command wheels'"
  "test -e \"wheels/archgrid-\${TAG#v}-py3-none-manylinux_2_28_x86_64.whl\""
  "gh release create \"$TAG\" archives/* wheels/* SHA256SUMS --verify-tag --generate-notes")

# Sets OUT to the violations of these rules in TEXT, a workflow, one per line. With PUBLISHES one of
# its jobs may publish.
function(faults_of text out)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PUBLISHES" "" "")
  set(faults "")
  if(arg_PUBLISHES)
    list(APPEND known ${known_of_release})
  endif()
  string(REPLACE ";" "\\;" text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(permitted FALSE)
  set(block "") # indent of a `run: |`, whose lines are deeper
  foreach(line IN LISTS lines)
    set(command "")
    if(NOT block STREQUAL "" AND line MATCHES "^${block} +([^ ].*)$")
      set(command "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^( *)(- )?run: \\|$")
      set(block "${CMAKE_MATCH_1}")
      continue()
    elseif(line MATCHES "^ +(- )?run: (.*)$")
      set(block "")
      set(command "${CMAKE_MATCH_2}")
    elseif(NOT line STREQUAL "")
      set(block "")
    endif()
    if(NOT command STREQUAL "")
      if(command MATCHES "(echo|printf|export) .*\\$\\(")
        list(APPEND faults "a command in an argument, whose failure goes unseen: ${command}")
      endif()
      if(command MATCHES "\\\${{")
        list(APPEND faults "an expression in a run line: ${command}")
      elseif(NOT command IN_LIST known)
        list(APPEND faults "a command that nothing else runs: ${command}")
      endif()
    elseif(line MATCHES "uses: \\$/\\.github/workflows/[a-z]+\\.yml$")
      # a workflow of the same commit
    elseif(line MATCHES "uses: (.*)$" AND NOT line MATCHES "uses: [^@ ]+@[0-9a-f]+ # v[0-9.]+$")
      list(APPEND faults "an action that is not pinned by commit: ${CMAKE_MATCH_1}")
    elseif(line MATCHES "uses: [^@ ]+@([0-9a-f]+) ")
      string(LENGTH "${CMAKE_MATCH_1}" length)
      if(NOT length EQUAL 40)
        list(APPEND faults "not a whole commit: ${CMAKE_MATCH_1}")
      endif()
    elseif(line STREQUAL "permissions:")
      set(permitted TRUE)
    elseif(arg_PUBLISHES AND line MATCHES "^      (attestations|contents|id-token|pages): write # ")
      # of one job, with a reason
    elseif(line MATCHES ": write")
      list(APPEND faults "a permission to write: ${line}")
    endif()
  endforeach()
  if(NOT permitted)
    list(APPEND faults "no permissions: at top level")
  endif()
  set(${out} "${faults}" PARENT_SCOPE)
endfunction()

file(GLOB workflows "${ROOT}/.github/workflows/*.yml" "${ROOT}/.github/actions/*/action.yml")
list(LENGTH workflows count)
if(count LESS 9)
  message(FATAL_ERROR
    "expected the workflows docs.yml, gpu.yml, matrix.yml, release.yml and test.yml, and four actions, found ${workflows}")
endif()
foreach(workflow IN LISTS workflows)
  file(READ "${workflow}" text)
  set(publishes "")
  if(workflow MATCHES "/(docs|release)\\.yml$")
    set(publishes PUBLISHES)
  endif()
  if(workflow MATCHES "/action\\.yml$") # has the permissions of its caller
    string(APPEND text "permissions:\n")
  endif()
  faults_of("${text}" faults ${publishes})
  if(faults)
    message(FATAL_ERROR "${workflow}: ${faults}")
  endif()
endforeach()
# The same rules detect planted faults.
foreach(planted IN ITEMS "permissions:\n  - run: curl x" "permissions:\n  - run: |\n      curl x"
    "permissions:\n    run: |\n      ./setup --matrix \"$MATRIX\"\n\n      echo \"jobs=\$(false)\" >> x"
    "permissions:\n      - run: echo \${{ x }}" "permissions:\n  - uses: a/b@v4"
    "permissions:\n  - uses: ./.github/workflows/matrix.yml"
    "permissions:\n  contents: write" "name: x")
  faults_of("${planted}" faults)
  if(NOT faults)
    message(FATAL_ERROR "a planted fault went unseen:\n${planted}")
  endif()
endforeach()

foreach(planted IN ITEMS "permissions:\n  contents: write # all jobs" "permissions:\n      packages: write # x")
  faults_of("${planted}" faults PUBLISHES)
  if(NOT faults)
    message(FATAL_ERROR "a planted fault went unseen in a release:\n${planted}")
  endif()
endforeach()

# Runs the steps of the gpu workflow in a small project: plan, build, audit, pack, unpack, test.
set(matrix "{
  \"name\": \"workflow\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"75\", \"90\"]}],
  \"cells\": [\"single\", \"fat\"],
  \"promises\": [{\"devices\": [\"7.5\", \"9.0\"]}],
  \"runners\": {\"9.0\": [\"self-hosted\", \"gpu\", \"sm90\"]}
}
")
e2e_tree(project MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_run("${CMAKE_COMMAND}" "-DMATRIX=${PROJECT}/matrices/default.json" -DFORMAT=github
  -P "${ROOT}/cmake-modules/archgrid/expand.cmake")
e2e_expect(pass MATCH "^{\"include\": ?\\[{.*\"preset\": ?\"sm90\".*}\\]}\n$")
string(JSON count LENGTH "${output}" include)
string(JSON preset GET "${output}" include 0 preset)
string(JSON runner GET "${output}" include 0 runner 2)
if(NOT "${count} ${preset} ${runner}" STREQUAL "1 sm90 sm90")
  message(FATAL_ERROR "other jobs than expected: ${output}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build --preset default WORKING_DIRECTORY "${PROJECT}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
e2e_expect(pass MATCH "3 cells: 3 built")
e2e_ctest(--preset default --label-regex fatbin)
e2e_expect(pass MATCH "AUDIT/sm90" WITHOUT "cu135-sm90/runs")
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/runner/cells.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(pass)
set(PROJECT "${WORK}/runner")
file(WRITE "${WORK}/runner/CMakeUserPresets.json" "left by an earlier job")
e2e_run("${CMAKE_COMMAND}" "-DARCHIVE=${WORK}/runner/cells.tar.zst" "-DOUTPUT=${WORK}/runner/cells"
  -P "${ROOT}/cmake-modules/archgrid/unbundle.cmake")
e2e_expect(pass)
set(PROJECT "${WORK}/runner/cells")
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-sm90/runs \\.+ +Passed")
