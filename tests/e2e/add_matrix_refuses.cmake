# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# What archgrid_add_matrix refuses, and what it says.
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
file(WRITE "${WORK}/good.json" "${matrix}")
file(WRITE "${WORK}/bad.json" "{\"name\": \"bad\", \"toolkits\": [{\"cuda\": 13.5, \"archs\": [\"90\"]}]}")
set(good "MATRIX [==[${WORK}/good.json]==] SOURCE [==[${E2E}/tiny]==]")
e2e_refuses(no_matrix "archgrid_add_matrix(SOURCE [==[${E2E}/tiny]==])" "MATRIX is missing")
e2e_refuses(no_source "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==])" "SOURCE is missing")
e2e_refuses(no_project "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE [==[${WORK}]==])" "has no CMakeLists.txt")
e2e_refuses(unknown "archgrid_add_matrix(${good} SOURCES x)" "unknown arguments: SOURCES")
e2e_refuses(twice "archgrid_add_matrix(${good})\narchgrid_add_matrix(${good})" "has the cells of .*good.json already")
e2e_refuses(definition "archgrid_add_matrix(${good} DEFINITIONS novalue)" "'novalue' is no definition. Write KEY=VALUE")
e2e_refuses(bad_matrix "archgrid_add_matrix(MATRIX [==[${WORK}/bad.json]==] SOURCE [==[${E2E}/tiny]==])"
  "bad\\.json.*toolkits\\[0\\]\\.cuda")
