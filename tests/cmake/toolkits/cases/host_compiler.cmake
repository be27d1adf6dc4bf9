# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the host compiler: the default g++ if supported, else the newest supported one, else an
# error that names the package.
include("${CASE_SOURCE}/../support/stage.cmake")

function(clear)
  file(REMOVE_RECURSE "${stage_bin}")
  file(MAKE_DIRECTORY "${stage_bin}")
endfunction()

# stage(<name> <major>): adds g++ and gcc with that name and release.
function(stage name major)
  stage_compiler("${name}" gcc "${major}")
  string(REPLACE "g++" "gcc" c "${name}")
  stage_compiler("${c}" gcc "${major}")
endfunction()

stage(g++ 12)
stage(g++-11 11)
stage(g++-10 10)
ask(newest host 11.8 PATH "${stage_bin}")
expect(newest 0 "CXX=${stage_bin}/g\\+\\+-11 " " C=${stage_bin}/gcc-11 ")
ask(default host 13.5 PATH "${stage_bin}")
expect(default 0 "CXX=${stage_bin}/g\\+\\+ " " C=${stage_bin}/gcc ")
ask(asked host 13.5 PATH "${stage_bin}" REQUESTED g++-10)
expect(asked 0 "CXX=${stage_bin}/g\\+\\+-10 ")
ask(too_new host 11.8 PATH "${stage_bin}" REQUESTED g++)
expect(too_new 1 "g\\+\\+ is gcc 12, and CUDA 11.8 takes gcc up to 11")
ask(absent host 13.5 PATH "${stage_bin}" REQUESTED g++-13)
expect(absent 1 "g\\+\\+-13 for CUDA 13.5 is not on this machine" "apt-get install g\\+\\+-13")

stage_compiler(clang++-14 clang 14)
stage_compiler(clang-14 clang 14)
stage_compiler(clang++-99 clang 99)
stage_compiler(clang-99 clang 99)
ask(clang host 13.5 PATH "${stage_bin}" REQUESTED clang++-14)
expect(clang 0 "CXX=${stage_bin}/clang\\+\\+-14 " " C=${stage_bin}/clang-14 ")
ask(clang_too_new host 13.5 PATH "${stage_bin}" REQUESTED clang++-99)
expect(clang_too_new 1 "clang 99; CUDA 13.5 takes clang up to 22")

clear()
stage(g++ 17)
stage_program(apt-cache "printf 'g++-9\\ng++-11\\ng++-12\\ng++-11-doc\\n'")
ask(none host 11.8 PATH "${stage_bin}")
expect(none 1 "g\\+\\+ is gcc 17, and CUDA 11.8 takes gcc up to 11" "apt-get install g\\+\\+-11 ")

clear()
ask(nothing host 12.4 PATH "${stage_bin}")
expect(nothing 1 "there is none on this machine" "install g\\+\\+-13 or older")
stage_compiler(g++-11 gcc 11)
ask(no_c host 11.8 PATH "${stage_bin}")
expect(no_c 1 "has no C compiler beside it")
stage_program(g++ "exit 1")
ask(broken host 13.5 PATH "${stage_bin}" REQUESTED "${stage_bin}/g++")
expect(broken 1 "does not compile, or is neither GCC nor Clang")
