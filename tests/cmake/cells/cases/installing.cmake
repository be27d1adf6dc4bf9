# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that programs which run during installation and may compile are distinguished from others.
include("${ARCHGRID_MODULES}/archgrid/detail/artifacts.cmake")

# expect_installing(<TRUE|FALSE> <arguments of execute_process>)
function(expect_installing expected arguments)
  file(WRITE "${CASE_BINARY}/cmake_install.cmake"
    "# Install script for directory: /project\n\nexecute_process(${arguments})\n")
  _archgrid_find_installing("${CASE_BINARY}" found)
  set(installing FALSE)
  if(found STREQUAL "installing:/project/CMakeLists.txt")
    set(installing TRUE)
  endif()
  if(NOT installing STREQUAL expected)
    message(FATAL_ERROR "${arguments}: ${installing}")
  endif()
endfunction()

foreach(arguments IN ITEMS "COMMAND nvcc -cubin k.cu"
  "COMMAND /usr/bin/python3 /project/gen_kernels.py out" "COMMAND python setup.py"
    "COMMAND \"python3.11\" \"gen.py\"" "COMMAND bash build"
    "COMMAND \"/bin/sh\"\n  install_kernels" "COMMAND perl gen.pl"
    "COMMAND ./build.sh" "COMMAND cmake --build ." "COMMAND python3 -m build")
  expect_installing(TRUE "${arguments}")
endforeach()
foreach(arguments IN ITEMS "COMMAND cmake -E echo installed" "COMMAND python3 -m compileall lib" "COMMAND ldconfig"
    "COMMAND sh -c \"ldconfig\"" "COMMAND cmake -E copy gen.py lib")
  expect_installing(FALSE "${arguments}")
endforeach()
