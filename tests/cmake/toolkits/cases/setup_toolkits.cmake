# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# ./setup --matrix: a dry run fetches nothing; what is fetched is judged, and the refusal has CMake's frame taken off.
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
