# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the drop-in: a CUDA project outside this tree fetches archgrid, promises devices and audits
# its library. The audit fails if its arch list breaks the promise, and nothing of archgrid's own
# build enters its tree.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
file(COPY "${E2E}/consumer" DESTINATION "${WORK}")

# configure(<build folder> <archs> [<argument>...])
macro(configure build archs)
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/consumer" -B "${WORK}/${build}"
    "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    "-DCMAKE_CUDA_ARCHITECTURES=${archs}" -DBUILD_SHARED_LIBS=ON "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${ROOT}" ${ARGN})
endmacro()
macro(build_and_test build)
  e2e_run("${NINJA}" -C "${WORK}/${build}")
  e2e_expect(pass WITHOUT "gemm|spmv")
  e2e_run("${CTEST}" --test-dir "${WORK}/${build}" --output-on-failure)
endmacro()

configure(red "80\\;86" "-DARCHGRID_COMMAND=${COMMAND}")
e2e_expect(pass)
build_and_test(red)
e2e_expect(fail MATCH "audit\\.consumer" "jit: libconsumer\\.so: fill on 9\\.0"
  "CUDA_ARCHITECTURES[ \n]+of[ \n]+consumer")

configure(static "80\\;86" "-DARCHGRID_COMMAND=${COMMAND}" -DBUILD_SHARED_LIBS=OFF)
build_and_test(static)
e2e_expect(fail MATCH "audit\\.consumer" "jit: libconsumer\\.a!kernel\\.cu\\.o: fill on 9\\.0")

configure(green "80\\;90" "-DARCHGRID_COMMAND=${COMMAND}")
build_and_test(green)
e2e_expect(pass MATCH "audit\\.consumer \\.+ +Passed")

# Without an archgrid command on the machine, it is built from the fetched sources, like the host
# libraries that the consumer's GPU tests link.
include("${ROOT}/tests/googletest/find.cmake")
archgrid_find_newest_googletest(googletest)
set(ENV{PATH} "/usr/bin:/bin")
e2e_copy_sources("${WORK}")
# At the depth of a build tree, for which ccache has the objects.
set(ENV{ARCHGRID_COMMANDS} "${WORK}/commands")
configure(own_command "80\\;90" -DCONSUMER_TESTS=ON "-DGOOGLETEST_SOURCE=${googletest}"
  "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(pass MATCH "the first build compiles the archgrid command")
e2e_run("${CMAKE_COMMAND}" "${WORK}/own_command") # like a build after CMakeLists.txt has changed
e2e_expect(pass)
# The library does not wait for the command, which `all` and a target of its own build.
foreach(case IN ITEMS "consumer;WITHOUT" "audit.consumer;MATCH" "all;MATCH")
  list(POP_BACK case expected)
  e2e_run("${NINJA}" -C "${WORK}/own_command" -n ${case})
  e2e_expect(pass ${expected} "Building the archgrid command from source")
endforeach()
build_and_test(own_command)
e2e_expect(pass MATCH "audit\\.consumer \\.+ +Passed" "Test +#[0-9]+: consumer [.]+")
file(GLOB commands "${WORK}/commands/*/build/command/harness/cli/archgrid")
list(LENGTH commands number)
if(NOT number EQUAL 1)
  message(FATAL_ERROR "one command was to be built from source: ${commands}")
endif()

# Another tree with the same sources takes that command. Other sources need one of their own, and
# what that lacks is said when configuring.
configure(second_tree "80\\;90" "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(pass MATCH "the command is ${commands}" WITHOUT "compiles the archgrid command")
e2e_run("${NINJA}" -C "${WORK}/second_tree" -n)
e2e_expect(pass WITHOUT "Building the archgrid command from source")
# A cache that cannot be written is not used.
set(ENV{ARCHGRID_COMMANDS} /proc/self/commands)
configure(read_only "80\\;90" "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(pass MATCH "/proc/self/commands cannot be written: the command is built in this tree")
set(ENV{ARCHGRID_COMMANDS} "${WORK}/commands")
file(READ "${WORK}/harness/needs.cmake" needs)
string(REPLACE "set(needs " "set(needs Absent=libabsent-dev Gone=libgone-dev " planted "${needs}")
file(WRITE "${WORK}/harness/needs.cmake" "${planted}")
configure(lacking "80\\;90" "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(fail MATCH "libraries are missing\\.[ \n]+Fix: sudo apt-get install libabsent-dev libgone-dev"
  "Or set ARCHGRID_COMMAND")
set(ENV{ARCHGRID_COMMAND} /no/such/archgrid)
configure(lacking "80\\;90" "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(fail MATCH "the environment's[ \n]+ARCHGRID_COMMAND[ \n]+is[ \n]+/no/such/archgrid")
set(ENV{ARCHGRID_COMMAND} "${COMMAND}")
configure(lacking "80\\;90" "-DFETCHCONTENT_SOURCE_DIR_ARCHGRID=${WORK}")
e2e_expect(pass MATCH "the command is ${COMMAND}")
unset(ENV{ARCHGRID_COMMAND})
unset(ENV{ARCHGRID_COMMANDS})
file(WRITE "${WORK}/harness/needs.cmake" "${needs}")

# Sources decide the folder, also those in a folder with brackets, and nothing that editors leave.
include("${ROOT}/cmake-modules/archgrid/detail/shared_command.cmake")
e2e_copy_sources("${WORK}/with [brackets]")
_archgrid_command_key("${WORK}/with [brackets]" key)
file(WRITE "${WORK}/with [brackets]/harness/cli/.main.cpp.swp" "")
_archgrid_command_key("${WORK}/with [brackets]" same)
file(APPEND "${WORK}/with [brackets]/harness/cli/src/main.cpp" "// edited\n")
_archgrid_command_key("${WORK}/with [brackets]" other)
if(NOT key STREQUAL same OR key STREQUAL other)
  message(FATAL_ERROR "keys of the same and of edited sources: ${key} ${same} ${other}")
endif()
# An edit between configuring and building does not enter the command: the copy is older.
_archgrid_prepare_command("${WORK}/with [brackets]" "${WORK}/edited/${key}" reason)
if(NOT reason MATCHES "have changed since this tree was configured")
  message(FATAL_ERROR "edited sources were taken for those of ${key}: ${reason}")
endif()

# The same programs on a fake GPU: one that the arch list serves, and one that it does not.
set(ENV{LD_LIBRARY_PATH} "${WORK}/own_command/fake_cudart")
set(ENV{ARCHGRID_FAKE_DRIVER} 13.5)
set(ENV{ARCHGRID_FAKE_DEVICES} 9.0)
e2e_run("${WORK}/own_command/consumer_test")
e2e_expect(pass MATCH "kernels  1, 0 not served" "archgrid: passed: fake: on 9\\.0")
set(ENV{ARCHGRID_FAKE_DEVICES} 7.5)
e2e_run("${WORK}/own_command/consumer_test")
e2e_expect(fail MATCH "missing on 7\\.5: fill\\(float" "archgrid: failed: kernels")
unset(ENV{LD_LIBRARY_PATH})

# Errors of the functions.
e2e_refuses(no_promise "add_library(mine STATIC IMPORTED)\narchgrid_audit(mine)" "no promise here")
e2e_refuses(no_target "archgrid_promise(DEVICES 8.0)\narchgrid_audit(nobody)" "nobody is no target")
e2e_refuses(option "archgrid_promise(DEVICES 8.0)\narchgrid_audit(ONBUILD)" "ONBUILD is no target.*ON_BUILD")
e2e_refuses(twice "add_library(mine STATIC IMPORTED)\narchgrid_promise(DEVICES 8.0)\narchgrid_audit(mine mine)"
  "mine has the test audit\\.mine already")
e2e_refuses(both "archgrid_promise(DEVICES 8.0 MATRIX m.json)" "either DEVICES or MATRIX")
e2e_refuses(no_device "archgrid_promise(DEVICES 8.0 9.5)" "there is no GPU \"9\\.5\".*9\\.0")
e2e_refuses(no_product "archgrid_promise(DEVICES H1000)" "there is no GPU \"H1000\".*a name like H100")
e2e_refuses(neither "archgrid_promise(ACCEPT jit)" "either DEVICES or MATRIX")
e2e_refuses(no_matrix "archgrid_promise(MATRIX absent.json TOOLKIT 13.5)" "there is no matrix file")
e2e_refuses(unknown "archgrid_promise(DEVICE 8.0 \"RTX 4090\")"
  "unknown arguments: DEVICE 8\\.0 \"RTX 4090\"\\. Did you mean DEVICES 8\\.0 \"RTX 4090\"\\?")
e2e_refuses(unknown "archgrid_promise(8.0 GPUS 9.0)" "Did you mean DEVICES 8\\.0 9\\.0\\?")
