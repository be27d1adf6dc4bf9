# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Fetches CUDA 11.8 and 12.4 from Debian's non-free packages, with separate apt sources and lists
# that reuse the mirror, proxy and keys of the machine's apt. Needs no root, and does not change the
# system.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run_step.cmake")

# Sets OUT to Debian's mirror: $ARCHGRID_DEBIAN_MIRROR, else the one that the machine's apt uses,
# else empty.
function(_archgrid_debian_mirror out)
  set(${out} "$ENV{ARCHGRID_DEBIAN_MIRROR}" PARENT_SCOPE)
  if(NOT "$ENV{ARCHGRID_DEBIAN_MIRROR}" STREQUAL "")
    return()
  endif()
  execute_process(COMMAND apt-get indextargets --format "$(ORIGIN)|$(LABEL)|$(REPO_URI)" "Created-By: Packages"
    OUTPUT_VARIABLE targets ERROR_QUIET)
  # Before the first `apt-get update` apt does not know origin and label, and prints the
  # placeholders.
  foreach(pattern IN ITEMS "Debian[|]Debian[|]([^\n]+)" "[^\n|]*[|][^\n|]*[|]([^\n]+/debian/?)\n")
    if(targets MATCHES "${pattern}")
      string(REGEX REPLACE "/$" "" mirror "${CMAKE_MATCH_1}")
      set(${out} "${mirror}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets OUT to the network settings of the machine's apt: proxies, certificates, time-outs. Omits its
# hooks, which clean up the system whenever a list is updated.
function(_archgrid_apt_network out)
  execute_process(COMMAND apt-config dump OUTPUT_VARIABLE dump ERROR_QUIET)
  string(REGEX MATCHALL "Acquire::(http|https|Check|ForceIPv)[^\n;]*" lines "${dump}")
  set(settings "")
  foreach(line IN LISTS lines)
    string(APPEND settings "${line};\n")
  endforeach()
  set(${out} "${settings}" PARENT_SCOPE)
endfunction()

# Sets OUT to the setting with which apt, run by root, does not drop privileges for fetching. Sets
# it to nothing if fetching can run as the user _apt, who then gets the folders in ARGN to write to.
function(_archgrid_apt_sandbox out)
  set(${out} "APT::Sandbox::User \"\";\n" PARENT_SCOPE)
  execute_process(COMMAND chown _apt ${ARGN} ERROR_QUIET RESULT_VARIABLE result) # only root can
  if(result EQUAL 0)
    execute_process(COMMAND id -g _apt OUTPUT_VARIABLE group OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND setpriv --reuid=_apt --regid=${group} --clear-groups
        sh -c "for folder; do [ -w \"$folder\" ] || exit 1; done" sh ${ARGN}
      OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      set(${out} "" PARENT_SCOPE)
    else() # only root can enter a folder above
      execute_process(COMMAND chown root ${ARGN})
    endif()
  endif()
endfunction()

# Writes an apt configuration below WORK with SUITE as its only source and its own state. Sets OUT
# to the reason if that fails, else to nothing.
function(_archgrid_write_apt_configuration work suite out)
  _archgrid_debian_mirror(mirror)
  if(mirror STREQUAL "")
    set(${out} "this machine's apt names no mirror of Debian, from which this toolkit would come\n  Fix: set the \
environment variable ARCHGRID_DEBIAN_MIRROR to the address of one, or install the toolkit yourself" PARENT_SCOPE)
    return()
  endif()
  set(${out} "" PARENT_SCOPE)
  _archgrid_apt_network(network)
  set(keyring "/usr/share/keyrings/debian-archive-keyring.gpg")
  set(options "arch=amd64")
  if(EXISTS "${keyring}")
    string(APPEND options " signed-by=${keyring}")
  endif()
  set(written "${work}/lists/partial" "${work}/cache/archives/partial" "${work}/deb")
  file(MAKE_DIRECTORY ${written})
  _archgrid_apt_sandbox(sandbox ${written})
  file(WRITE "${work}/status" "")
  file(WRITE "${work}/sources.list" "deb [${options}] ${mirror} ${suite} main non-free\n")
  file(WRITE "${work}/apt.conf" "Dir::Etc::parts \"/dev/null\";
Dir::Etc::main \"/dev/null\";
Dir::Etc::sourcelist \"${work}/sources.list\";
Dir::Etc::sourceparts \"/dev/null\";
Dir::Etc::preferences \"/dev/null\";
Dir::Etc::preferencesparts \"/dev/null\";
Dir::State::lists \"${work}/lists\";
Dir::State::status \"${work}/status\";
Dir::Cache \"${work}/cache\";
Acquire::Languages \"none\";
Acquire::Retries \"3\";
APT::Architecture \"amd64\";
${sandbox}${network}")
endfunction()

# Fetches the package lists of Debian SUITE and sets <out>_SHOW to their entries for CUDA VERSION.
# Sets OUT to the error, else to nothing.
function(_archgrid_update_debian version suite work out)
  set(apt "${CMAKE_COMMAND}" -E env "APT_CONFIG=${work}/apt.conf")
  _archgrid_run_step("apt-get update of Debian ${suite}" reason COMMAND ${apt} apt-get update -q)
  if(reason STREQUAL "" AND reason_OUTPUT MATCHES "\n(Err:|W: Failed to fetch)")
    _archgrid_complaint("apt-get update of Debian ${suite}" "unreachable" "${reason_OUTPUT}" reason)
  endif()
  if(reason)
    set(${out} "${reason}" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${apt} apt-cache show --no-all-versions nvidia-cuda-toolkit nvidia-cuda-dev
    OUTPUT_VARIABLE show ERROR_QUIET)
  string(REGEX MATCHALL "\nVersion: [^\n]*" versions "\n${show}")
  if(NOT show MATCHES "Version: ${version}\\.")
    set(${out} "Debian ${suite} has no nvidia-cuda-toolkit of CUDA ${version}, but \"${versions}\"" PARENT_SCOPE)
    return()
  endif()
  set(${out} "" PARENT_SCOPE)
  set(${out}_SHOW "${show}" PARENT_SCOPE)
endfunction()

# Downloads the packages of CUDA VERSION into WORK/deb. apt verifies Debian's signature.
function(_archgrid_download_debian version suite work out)
  set(apt "${CMAKE_COMMAND}" -E env "APT_CONFIG=${work}/apt.conf")
  _archgrid_update_debian("${version}" "${suite}" "${work}" reason)
  if(reason)
    set(${out} "${reason}" PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "libcudart[0-9.]+" runtime "${reason_SHOW}")
  message(STATUS "archgrid: CUDA ${version}: fetching from Debian ${suite}, about 1 GB")
  _archgrid_run_step("apt-get download from Debian ${suite}" reason
    COMMAND ${apt} apt-get download -q nvidia-cuda-toolkit nvidia-cuda-dev "${runtime}"
    libthrust-dev libcub-dev libcu++-dev
    WORKING_DIRECTORY "${work}/deb")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Unpacks members that match the patterns in ARGN from the only package in WORK/deb whose name
# begins with NAME.
function(_archgrid_unpack_deb name work out)
  file(GLOB package "${work}/deb/${name}_*.deb")
  list(LENGTH package count)
  if(NOT count EQUAL 1)
    set(${out} "${work}/deb: expected one ${name}_*.deb, found \"${package}\"" PARENT_SCOPE)
    return()
  endif()
  _archgrid_run_step("unpacking ${package}" reason
    COMMAND dpkg-deb --fsys-tarfile "${package}"
    COMMAND tar -x -C "${work}/root" --no-same-owner --wildcards ${ARGN})
  file(REMOVE "${package}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Unpacks into WORK/root the parts of a toolkit that compiling needs; omits the static maths
# libraries (2 GB).
function(_archgrid_unpack_debian work out)
  file(MAKE_DIRECTORY "${work}/root")
  file(GLOB runtime RELATIVE "${work}/deb" "${work}/deb/libcudart*.deb")
  string(REGEX REPLACE "_.*" "" runtime "${runtime}")
  set(lib "./usr/lib/*-linux-gnu")
  set(patterns_nvidia-cuda-toolkit ./usr/bin ./usr/lib/nvidia-cuda-toolkit)
  set(patterns_nvidia-cuda-dev ./usr/include "${lib}/libcudart.so" "${lib}/libcudart_static.a" "${lib}/libcudadevrt.a"
    "${lib}/libculibos.a" "${lib}/stubs/libcuda.so")
  set(patterns_${runtime} "${lib}/libcudart.so.*")
  foreach(cccl IN ITEMS libthrust-dev libcub-dev libcu++-dev)
    set(patterns_${cccl} ./usr/include ./usr/share/cmake)
  endforeach()
  foreach(name IN ITEMS nvidia-cuda-dev nvidia-cuda-toolkit ${runtime} libthrust-dev libcub-dev libcu++-dev)
    _archgrid_unpack_deb("${name}" "${work}" reason ${patterns_${name}})
    if(reason)
      set(${out} "${reason}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# Moves the unpacked files below ROOT to where NVIDIA's own installer puts them below TREE.
# /usr/bin/nvcc is Debian's wrapper; Debian's nvcc.profile has absolute paths, and lacks the TOP
# line that CMake reads.
function(_archgrid_arrange_debian_tree root tree)
  set(usr "${root}/usr")
  set(debian "${usr}/lib/nvidia-cuda-toolkit")
  set(target "${tree}/targets/x86_64-linux")
  file(MAKE_DIRECTORY "${tree}/nvvm/bin" "${target}")
  file(GLOB lib LIST_DIRECTORIES TRUE "${usr}/lib/*-linux-gnu")
  file(RENAME "${lib}" "${target}/lib")
  file(RENAME "${usr}/share/cmake" "${target}/lib/cmake")
  file(RENAME "${usr}/include" "${target}/include")
  file(RENAME "${usr}/bin" "${tree}/bin")
  file(REMOVE "${tree}/bin/nvcc")
  file(RENAME "${debian}/bin/nvcc" "${tree}/bin/nvcc")
  file(RENAME "${debian}/bin/crt" "${tree}/bin/crt")
  file(RENAME "${debian}/bin/cicc" "${tree}/nvvm/bin/cicc")
  file(RENAME "${debian}/libdevice" "${tree}/nvvm/libdevice")
  _archgrid_arrange_sanitizer("${debian}" "${tree}")
  file(CREATE_LINK "targets/x86_64-linux/include" "${tree}/include" SYMBOLIC)
  file(CREATE_LINK "targets/x86_64-linux/lib" "${tree}/lib64" SYMBOLIC)
  file(WRITE "${tree}/bin/nvcc.profile" [[

TOP              = $(_HERE_)/..

NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH += $(TOP)/lib64:
PATH            += $(TOP)/nvvm/bin:$(_HERE_):

INCLUDES        +=  "-I$(TOP)/targets/x86_64-linux/include" $(_SPACE_)

LIBRARIES        =+ $(_SPACE_) "-L$(TOP)/targets/x86_64-linux/lib/stubs" "-L$(TOP)/targets/x86_64-linux/lib"

CUDAFE_FLAGS    +=
PTXAS_FLAGS     +=
]])
endfunction()

# Arranges compute-sanitizer, which looks for its libraries beside itself.
function(_archgrid_arrange_sanitizer debian tree)
  if(NOT EXISTS "${debian}/compute-sanitizer")
    return()
  endif()
  file(RENAME "${debian}/compute-sanitizer" "${tree}/compute-sanitizer")
  foreach(program IN ITEMS compute-sanitizer TreeLauncherSubreaper TreeLauncherTargetLdPreloadHelper)
    if(EXISTS "${tree}/bin/${program}")
      file(RENAME "${tree}/bin/${program}" "${tree}/compute-sanitizer/${program}")
    endif()
  endforeach()
  file(CREATE_LINK "../compute-sanitizer/compute-sanitizer" "${tree}/bin/compute-sanitizer" SYMBOLIC)
endfunction()

# Sets OUT to the packages of LIBRARIES that nvidia-cuda-dev depends on (according to SHOW), and the
# packages of the same source that these need. Sets <out>_REASON to the error, else to nothing.
function(_archgrid_debian_library_packages libraries show work out)
  set(${out} "" PARENT_SCOPE)
  set(${out}_REASON "" PARENT_SCOPE)
  set(packages "")
  foreach(library IN LISTS libraries)
    _archgrid_data_library(row "${library}")
    foreach(stem IN LISTS row_DEBIAN)
      if(NOT show MATCHES "\nDepends:[^\n]* (${stem}[0-9.]*) [(]=")
        set(${out}_REASON "Debian's nvidia-cuda-dev depends on no ${stem}, which has ${library}" PARENT_SCOPE)
        return()
      endif()
      list(APPEND packages "${CMAKE_MATCH_1}")
    endforeach()
  endforeach()
  set(apt "${CMAKE_COMMAND}" -E env "APT_CONFIG=${work}/apt.conf")
  _archgrid_run_step("apt-cache depends" reason COMMAND ${apt} apt-cache depends --recurse --no-recommends --no-suggests
    --no-conflicts --no-breaks --no-replaces --no-enhances ${packages})
  string(REGEX MATCHALL "(^|\n)lib[^ \n]*" needed "${reason_OUTPUT}")
  list(TRANSFORM needed STRIP)
  foreach(name IN LISTS needed)
    execute_process(COMMAND ${apt} apt-cache show --no-all-versions "${name}" OUTPUT_VARIABLE text ERROR_QUIET)
    if(text MATCHES "\nSource: nvidia-cuda-toolkit")
      list(APPEND packages "${name}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  set(${out} "${packages}" PARENT_SCOPE)
  set(${out}_REASON "${reason}" PARENT_SCOPE)
endfunction()

# Puts LIBRARIES of CUDA VERSION from Debian SUITE into the folder TREE, in the layout of a toolkit,
# with WORK as scratch folder on the same disk. Sets OUT to the error, else to nothing.
function(_archgrid_fetch_debian_libraries version suite libraries work tree out)
  _archgrid_refuse_debian("${version}" reason)
  if(reason STREQUAL "")
    _archgrid_write_apt_configuration("${work}" "${suite}" reason)
  endif()
  if(reason STREQUAL "")
    _archgrid_update_debian("${version}" "${suite}" "${work}" reason)
  endif()
  if(reason STREQUAL "")
    _archgrid_debian_library_packages("${libraries}" "${reason_SHOW}" "${work}" packages)
    set(reason "${packages_REASON}")
  endif()
  if(reason STREQUAL "")
    _archgrid_run_step("apt-get download from Debian ${suite}" reason
      COMMAND "${CMAKE_COMMAND}" -E env "APT_CONFIG=${work}/apt.conf" apt-get download -q ${packages}
      WORKING_DIRECTORY "${work}/deb")
  endif()
  file(MAKE_DIRECTORY "${work}/root")
  foreach(name IN LISTS packages)
    if(reason STREQUAL "")
      _archgrid_unpack_deb("${name}" "${work}" reason "--exclude=./usr/share")
    endif()
  endforeach()
  if(reason STREQUAL "")
    set(target "${tree}/targets/x86_64-linux")
    file(MAKE_DIRECTORY "${target}")
    file(GLOB lib LIST_DIRECTORIES TRUE "${work}/root/usr/lib/*-linux-gnu")
    file(RENAME "${lib}" "${target}/lib")
    if(EXISTS "${work}/root/usr/include")
      file(RENAME "${work}/root/usr/include" "${target}/include")
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reason why Debian's packages of CUDA VERSION cannot be used on this machine, or to
# nothing.
function(_archgrid_refuse_debian version out)
  set(${out} "" PARENT_SCOPE)
  foreach(program IN ITEMS apt-get apt-cache dpkg-deb tar)
    _archgrid_program("${program}" found)
    if(NOT found)
      set(${out} "CUDA ${version} comes from Debian's packages, and this machine has no ${program}\n  Fix: install \
CUDA ${version} from NVIDIA and set CUDAToolkit_ROOT to its folder" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  execute_process(COMMAND uname -m OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT machine STREQUAL "x86_64")
    set(${out} "CUDA ${version} can be fetched for x86_64 only, and this machine is ${machine}\n  Fix: install CUDA \
${version} from NVIDIA and set CUDAToolkit_ROOT to its folder" PARENT_SCOPE)
  endif()
endfunction()

# Puts CUDA VERSION from Debian SUITE into the folder TREE, with WORK as scratch folder on the same
# disk. Sets OUT to the error, else to nothing.
function(_archgrid_fetch_debian version suite work tree out)
  _archgrid_refuse_debian("${version}" reason)
  if(reason STREQUAL "")
    _archgrid_write_apt_configuration("${work}" "${suite}" reason)
  endif()
  if(reason STREQUAL "")
    _archgrid_download_debian("${version}" "${suite}" "${work}" reason)
  endif()
  if(reason STREQUAL "")
    message(STATUS "archgrid: CUDA ${version}: unpacking")
    _archgrid_unpack_debian("${work}" reason)
  endif()
  if(reason STREQUAL "")
    _archgrid_arrange_debian_tree("${work}/root" "${tree}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
