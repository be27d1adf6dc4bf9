# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks what CMake code reads from the table, with rows whose facts are known.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/detail/data.cmake")

function(expect variable value)
  if(NOT "${${variable}}" STREQUAL "${value}")
    message(SEND_ERROR "${variable} is \"${${variable}}\" and should be \"${value}\"")
  endif()
endfunction()

_archgrid_data_toolkit(t 12.4)
expect(t_FOUND TRUE)
expect(t_ARCHS "50;52;53;60;61;62;70;72;75;80;86;87;89;90")
expect(t_SUFFIXED 90a)
expect(t_PTX_ISA 8.4)
expect(t_MAX_GCC 13)
expect(t_MAX_CLANG 17)
expect(t_MIN_DRIVER 525)
expect(t_FETCH_FROM debian)
expect(t_FETCH_SUITE trixie)
_archgrid_data_toolkit(t 13.5)
expect(t_FETCH_FROM pypi)
expect(t_FETCH_SUITE "")
_archgrid_data_toolkit(t 12.9)
expect(t_FETCH_FROM "")
_archgrid_data_toolkit(t 12.7)
expect(t_FOUND FALSE)
_archgrid_data_toolkit(t "")
expect(t_FOUND FALSE)

_archgrid_data_toolkits_for(able 107f)
expect(able "13.4;13.5")
_archgrid_data_toolkits_for(able 101)
expect(able "12.8;12.9")
_archgrid_data_toolkits_for(able 90f)
expect(able "")

_archgrid_data_architecture(a 90)
expect(a_DEVICE 9.0)
expect(a_GENERATION Hopper)
expect(a_SUFFIXES a)
expect(a_INTEGRATED OFF)
_archgrid_data_architecture(a 87)
expect(a_PRODUCTS "Jetson Orin;Jetson AGX Orin;Jetson Orin NX;Jetson Orin Nano")
expect(a_SUFFIXES "")
expect(a_INTEGRATED ON)
_archgrid_data_architecture(a 95)
expect(a_FOUND FALSE)

foreach(case IN ITEMS "9.0|9.0" "90|9.0" "sm_90a|9.0" "compute_121|12.1" "h100|9.0" "RTX 4090|8.9" "RTX4090|8.9"
    "NVIDIA GeForce RTX 5090|12.0" "rtx-3060 ti|8.6" "RTX 2050|8.6" "NVIDIA GeForce RTX 2050 Laptop GPU|8.6"
    "RTX 4090 Laptop GPU|8.9" "GTX 750 Ti|5.0" "GTX 1630|7.5" "RTX 4090 D|8.9" "rtx205050|"
    "RTX 4000|" "RTX 40900|" "GTX 1080|6.1" "GTX 980|5.2" "GTX 1660|7.5"
    "Jetson Orin|8.7" "9.5|" "95|" "4090|" "RTX 6000|" "RTX 5095x|" "H1000|" "|")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 name)
  list(GET case 1 device)
  _archgrid_data_device_named(named "${name}")
  expect(named "${device}")
endforeach()
