# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Loads every public function of archgrid: `include(ArchGrid)`, with this folder on
# CMAKE_MODULE_PATH. Each function is documented above its definition in archgrid/<verb>.cmake.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/old_cmake.cmake")
if(_archgrid_old_cmake)
  message(FATAL_ERROR "${_archgrid_old_cmake}")
endif()
unset(_archgrid_old_cmake)
cmake_policy(VERSION 3.25...4.0)

foreach(_archgrid_verb IN ITEMS
    expand find_toolkit find_host_compiler fetch_toolkit add_matrix add_gpu_test
    add_emulated_kernels promise architectures
    audit)
  include("${CMAKE_CURRENT_LIST_DIR}/archgrid/${_archgrid_verb}.cmake")
endforeach()
unset(_archgrid_verb)
