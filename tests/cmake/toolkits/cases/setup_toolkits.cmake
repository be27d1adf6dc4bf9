# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks ./setup --matrix: a dry run fetches nothing, the fetched toolkit is checked, and errors
# lack CMake's decoration.
include("${CASE_SOURCE}/../support/stage.cmake")
file(WRITE "${CASE_BINARY}/m.json" [[{"name": "m", "toolkits": [{"cuda": "13.1", "archs": ["90"]}], "cells": ["single"],
"promises": [{"devices": ["9.0"], "accept": ["native"]}]}]])
ask_setup(dry --dry-run --matrix "${CASE_BINARY}/m.json")
expect(dry 0 "CUDA 13.1 missing would be fetched [(]pypi[)] into ${stage_toolkits}")
expect_trees()
stage_toolkit("${CASE_BINARY}/index")
stage_pip()
ask_setup(refused --matrix "${CASE_BINARY}/m.json")
expect(refused 1 "setup: what was fetched is CUDA \"13.5\", not 13.1")
if(refused_TEXT MATCHES "CMake Error|Call Stack")
  message(FATAL_ERROR "CMake's frame is shown: ${refused_TEXT}")
endif()
expect_trees()

# Host compilers that the matrix requests, or that a toolkit needs, are packages to install.
function(expect_compiler toolkit package)
  file(WRITE "${CASE_BINARY}/compiler.json" "{\"name\": \"m\", \"toolkits\": [{${toolkit}}], \"cells\": [\"single\"],
\"promises\": [{\"devices\": [\"8.0\"], \"accept\": [\"native\"]}]}")
  ask_setup(compiler --dry-run --matrix "${CASE_BINARY}/compiler.json")
  expect(compiler 0 "would install: ${package}")
endfunction()

stage_program(apt-cache "echo g++-10")
expect_compiler("\"cuda\": \"13.1\", \"archs\": [\"80\"], \"host_compiler\": \"g++-99\"" "g[+][+]-99 ")
expect_compiler("\"cuda\": \"11.3\", \"archs\": [\"80\"]"
  "g[+][+]-10 CUDA 11.3 unknown cannot be tried before g[+][+]-10 is installed")
