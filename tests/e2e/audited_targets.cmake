# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks archgrid_audit() for every type of target, in one project that compiles for 9.0 only.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
set(source "${WORK}/targets")
file(WRITE "${source}/main.cpp" "int main() {}\n")
file(COPY "${E2E}/shapes/kernel.cu" DESTINATION "${source}")
file(WRITE "${source}/below/CMakeLists.txt" "add(below SHARED ../kernel.cu)\n")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(targets LANGUAGES CXX CUDA)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_promise(DEVICES \${PROMISED})
function(add name type)
  add_library(\${name} \${type} \${ARGN})
  target_compile_definitions(\${name} PRIVATE KERNEL=\${name})
endfunction()
add_executable(program main.cpp kernel.cu)
target_compile_definitions(program PRIVATE KERNEL=program)
add(shared SHARED kernel.cu)
add(static STATIC kernel.cu)
add(extension MODULE kernel.cu)
set_target_properties(extension PROPERTIES PREFIX \"\" SUFFIX .cpython-311-x86_64-linux-gnu.so)
add(objects OBJECT kernel.cu main.cpp)
add(ptx OBJECT kernel.cu)
set_target_properties(ptx PROPERTIES CUDA_PTX_COMPILATION ON)
foreach(type IN ITEMS SHARED STATIC OBJECT)
  add(rdc_\${type} \${type} kernel.cu)
  set_target_properties(rdc_\${type} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
endforeach()
add(part OBJECT kernel.cu)
add_library(of_objects SHARED main.cpp)
target_link_libraries(of_objects PRIVATE part)
add_library(Own::alias ALIAS shared)
add_subdirectory(below)
add_library(Theirs::shared SHARED IMPORTED)
set_target_properties(Theirs::shared PROPERTIES IMPORTED_LOCATION \${CMAKE_BINARY_DIR}/libstatic.a
  IMPORTED_LOCATION_RELEASE \${CMAKE_BINARY_DIR}/libshared.so)
add_library(found UNKNOWN IMPORTED)
add_library(their_objects OBJECT IMPORTED)
archgrid_audit(program Own::alias static extension objects ptx rdc_SHARED rdc_STATIC rdc_OBJECT of_objects below
  Theirs::shared found their_objects)
# Locations that follow the call.
set_target_properties(found PROPERTIES IMPORTED_LOCATION_RELEASE \${CMAKE_BINARY_DIR}/libstatic.a IMPORTED_CONFIGURATIONS RELEASE)
set_target_properties(their_objects PROPERTIES IMPORTED_OBJECTS \${CMAKE_BINARY_DIR}/CMakeFiles/static.dir/kernel.cu.o)
")

# configure(<build folder> <promised devices> [<argument>...])
macro(configure build promised)
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${WORK}/${build}" "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_BUILD_TYPE=Release "-DPROMISED=${promised}"
    "-DARCHGRID_COMMAND=${COMMAND}" ${ARGN})
  e2e_expect(pass WITHOUT "Warning")
endmacro()
macro(build_and_test build)
  e2e_run("${NINJA}" -C "${WORK}/${build}")
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${WORK}/${build}" --output-on-failure)
endmacro()

configure(build "8.0\\;9.0")
build_and_test(build)
e2e_expect(fail MATCH "0% tests passed, 14 tests failed out of 14"
  "missing: program: program_kernel on 8\\.0"
  "missing: libshared\\.so: shared_kernel on 8\\.0"
  "missing: libstatic\\.a!kernel\\.cu\\.o: static_kernel on 8\\.0"
  "missing: extension\\.cpython-311-x86_64-linux-gnu\\.so: extension_kernel on 8\\.0"
  "missing: kernel\\.cu\\.o: objects_kernel on 8\\.0.*CUDA_ARCHITECTURES of objects\n.*archgrid_audit\\(objects IGNORE "
  "ptx: ptx_kernel on 8\\.0"
  "missing: librdc_SHARED\\.so: rdc_SHARED_kernel on 8\\.0"
  "missing: librdc_STATIC\\.a!kernel\\.cu\\.o: rdc_STATIC_kernel on 8\\.0"
  "missing: kernel\\.cu\\.o: rdc_OBJECT_kernel on 8\\.0"
  "missing: libof_objects\\.so: part_kernel on 8\\.0.*CUDA_ARCHITECTURES of part"
  "missing: libbelow\\.so: below_kernel on 8\\.0"
  "missing: libshared\\.so: shared_kernel on 8\\.0.*archgrid_audit\\(Theirs::shared IGNORE "
  "missing: libstatic\\.a!kernel\\.cu\\.o: static_kernel on 8\\.0.*archgrid_audit\\(found IGNORE "
  "missing: kernel\\.cu\\.o: static_kernel on 8\\.0.*archgrid_audit\\(their_objects IGNORE ")
configure(build 9.0)
build_and_test(build)
e2e_expect(fail MATCH "93% tests passed, 1 tests failed out of 14" "audit\\.ptx .*Failed"
  "jit: kernel\\.ptx: ptx_kernel on 9\\.0")

# A configuration of a multi-config generator selects the file of an imported target.
file(APPEND "${source}/CMakeLists.txt"
  "set_target_properties(Theirs::shared PROPERTIES IMPORTED_LOCATION_DEBUG /no/such/libdebug.so)\n")
e2e_run("${CMAKE_COMMAND}" -G "Ninja Multi-Config" -S "${source}" -B "${WORK}/multi"
  "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
  -DCMAKE_CUDA_ARCHITECTURES=90 -DPROMISED=9.0 "-DARCHGRID_COMMAND=${COMMAND}")
e2e_expect(pass)
e2e_run("${CTEST}" --test-dir "${WORK}/multi" -C Debug -V -R "^audit.Theirs::shared$")
e2e_expect(fail MATCH "/no/such/libdebug\\.so")
e2e_run("${CTEST}" --test-dir "${WORK}/multi" -C Release -V -R "^audit.Theirs::shared$")
e2e_expect(fail MATCH "multi/libshared\\.so" WITHOUT "libdebug")

# ON_BUILD also where CMake attaches no command to the target: object libraries, and other folders.
foreach(target IN ITEMS shared objects below)
  set(source "${WORK}/on_build_${target}")
  file(COPY "${WORK}/targets/" DESTINATION "${source}")
  file(READ "${source}/CMakeLists.txt" text)
  string(REGEX REPLACE "archgrid_audit\\([^)]*\\)" "archgrid_audit(${target} ON_BUILD)" text "${text}")
  file(WRITE "${source}/CMakeLists.txt" "${text}")
  configure(on_build_${target}/build "8.0\\;9.0")
  e2e_run("${NINJA}" -C "${source}/build" audit.${target} ${target})
  e2e_expect(fail MATCH "missing: [a-z.]+: ${target}_kernel on 8\\.0")
  configure(on_build_${target}/build 9.0)
  e2e_run("${NINJA}" -C "${source}/build" audit.${target} ${target})
  e2e_expect(pass)
  e2e_run("${NINJA}" -C "${source}/build" audit.${target} ${target})
  e2e_expect(pass MATCH "no work to do")
  file(APPEND "${source}/kernel.cu" "void edited() {}\n")
  e2e_run("${NINJA}" -C "${source}/build" -n audit.${target} ${target})
  e2e_expect(pass MATCH "kernel\\.cu\\.o")
  if(NOT target STREQUAL "shared")
    e2e_expect(pass MATCH "Auditing ${target}")
  endif()
endforeach()

# Errors.
set(promise "archgrid_promise(DEVICES 9.0)\n")
e2e_refuses(interface "${promise}add_library(headers INTERFACE)\narchgrid_audit(headers)"
  "headers is an INTERFACE_LIBRARY, which has no file.*CMakeLists\\.txt:6 \\(archgrid_audit\\)")
e2e_refuses(custom "${promise}add_custom_target(wheel)\narchgrid_audit(wheel)" 
  "wheel is a custom target.*archgrid_audit\\(NAME wheel FILES <path>")
e2e_refuses(nowhere "${promise}add_library(theirs SHARED IMPORTED)\narchgrid_audit(theirs)"
  "the imported target theirs has no file\\. Set its IMPORTED_LOCATION")
e2e_refuses(nothing "${promise}add_library(theirs OBJECT IMPORTED)\narchgrid_audit(theirs)"
  "the imported target theirs has no file\\. Set its IMPORTED_OBJECTS")
e2e_refuses(imported "${promise}add_library(theirs SHARED IMPORTED)\narchgrid_audit(theirs ON_BUILD)"
  "ON_BUILD: theirs is imported: no build makes it\\. Leave out ON_BUILD")
e2e_refuses(verdict "archgrid_promise(DEVICES 9.0 ACCEPT natve)"
  "archgrid_promise: ACCEPT: unknown verdict \"natve\".*write \"native\"")
e2e_refuses(no_verdict "archgrid_promise(DEVICES 9.0 ACCEPT native,missing)"
  "\"missing\" a kernel does not run, so no promise accepts it")
