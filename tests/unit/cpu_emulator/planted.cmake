# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Wrong models of the tensor cores, each of which the comparison with the recordings must detect.

# plant_arithmetic(<name> <text> <replacement> <regex>)
#
# Builds cpu_emulator_tensor_core_test with a replaced text in tensor_core.cpp. Its comparison with
# the recordings must fail with output that matches <regex>. It is an error unless the text occurs
# exactly once.
function(plant_arithmetic name text replacement regex)
  set(source "${PROJECT_SOURCE_DIR}/harness/cpu_emulator/src/tensor_core.cpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" content)
  string(FIND "${content}" "${text}" first)
  string(FIND "${content}" "${text}" last REVERSE)
  if(first LESS 0 OR NOT first EQUAL last)
    message(FATAL_ERROR "plant_arithmetic(${name}): '${text}' is not once in harness/cpu_emulator/src/tensor_core.cpp")
  endif()
  string(REPLACE "${text}" "${replacement}" content "${content}")
  set(planted "${CMAKE_CURRENT_BINARY_DIR}/planted/${name}/tensor_core.cpp")
  file(CONFIGURE OUTPUT "${planted}" CONTENT "${content}" @ONLY NEWLINE_STYLE UNIX)
  # The definitions of the planted source replace those in the library of archgrid::cpu_emulator.
  set(program planted_arithmetic_${name}_test)
  add_executable(${program} "${planted}" $<TARGET_OBJECTS:cpu_emulator_tensor_core_test>)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/harness/cpu_emulator/src")
  target_compile_options(${program} PRIVATE -O0 -w)
  target_link_libraries(${program} PRIVATE archgrid::cpu_emulator archgrid_options fmt::fmt
    GTest::gmock GTest::gtest_main)
  add_test(NAME unit.planted_arithmetic_${name}
    COMMAND ${program} --gtest_brief=1 --gtest_filter=TensorCore.AgreesWithRecordings)
  set_tests_properties(unit.planted_arithmetic_${name} PROPERTIES LABELS cpu TIMEOUT 600
    PASS_REGULAR_EXPRESSION "${regex}")
endfunction()

find_package(fmt REQUIRED)
# f16, bf16 and tf32 of every generation. fp8 of 8.9 has no bits left to round.
plant_arithmetic(round_to_nearest "kept = magnitude >> -shift;"
  "kept = (magnitude >> -shift) + (magnitude >> (-shift - 1) & 1u);"
  "A100 bf16: [1-9].*A100 f16: [1-9].*A100 tf32: [1-9].*Ada f16: [1-9].*H100 tf32: [1-9].*B200 tf32: [1-9]")
plant_arithmetic(three_bits_less "const Parts& c, const Adder& adder) {"
  "const Parts& c, Adder adder) {\n    adder.fraction -= 3;"
  "A100 bf16: [1-9].*A100 f16: [1-9].*A100 tf32: [1-9].*Ada e4m3: [1-9].*Ada e5m2: [1-9].*H100 f16: [1-9].*B200 tf32: [1-9]")
# From 9.0 on, the recordings of tf32 contain only half a block.
plant_arithmetic(half_the_block "const auto block = static_cast<std::size_t>(adder.block);"
  "const auto block = static_cast<std::size_t>(adder.block / 2);"
  "A100 f16: [1-9].*A100 tf32: [1-9].*Ada e4m3: [1-9].*Ada e5m2: [1-9].*H100 bf16: [1-9].*H100 f16: [1-9].*B200 f16: [1-9]")
plant_arithmetic(all_bits_of_fp8_on_89 "{{16, 13, -132, 13}}" "{{16, 25, -132, 13}}"
  "Ada e4m3: [1-9].*Ada e5m2: [1-9].*L40S e4m3: [1-9].*L40S e5m2: [1-9]")
plant_arithmetic(c_first "dot(a, b, fraction_bits, 0.0f, adder) + c" "dot(a, b, fraction_bits, c, adder)"
  "B200 e4m3: [1-9].*B200 e5m2: [1-9]")
