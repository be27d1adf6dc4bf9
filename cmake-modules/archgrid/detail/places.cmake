# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds what lies beside the modules, in a checkout or in an installed copy
# (prefix/lib/cmake/ArchGrid). Sets the global properties ARCHGRID_SOURCE_ROOT, the folder that has
# harness/, and ARCHGRID_INSTALLED_PREFIX, empty in a checkout.
include_guard(GLOBAL)

cmake_path(SET _archgrid_modules NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
if(EXISTS "${_archgrid_modules}/ArchGridConfig.cmake")
  cmake_path(SET _archgrid_prefix NORMALIZE "${_archgrid_modules}/../../..")
  string(REGEX REPLACE "/$" "" _archgrid_prefix "${_archgrid_prefix}")
  set_property(GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX "${_archgrid_prefix}")
  set_property(GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT "${_archgrid_prefix}/share/archgrid")
  unset(_archgrid_prefix)
else()
  cmake_path(SET _archgrid_root NORMALIZE "${_archgrid_modules}/..")
  string(REGEX REPLACE "/$" "" _archgrid_root "${_archgrid_root}")
  set_property(GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX "")
  set_property(GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT "${_archgrid_root}")
  unset(_archgrid_root)
endif()
unset(_archgrid_modules)
