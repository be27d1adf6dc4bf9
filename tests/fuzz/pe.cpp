// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a Windows program or as a COFF object.
#include "pe.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>

#include "coff.hpp"
#include "host.hpp"
#include "tally.hpp"

namespace {

using namespace archgrid::fatbin;

constexpr std::array<const char*, 3> kNames = {"program", "object", "loader"};

File read(bool program, Bytes bytes) {
  File file;
  read_host(program ? pe_host_image(bytes) : coff_host_image(bytes), Detail::everything, file);
  return file;
}

bool holds_registered(const File& file) {
  for (const auto& module : file.modules) {
    if (module.registered) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static archgrid::fuzz::Tally tally(kNames);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool program = is_pe(text);
  if (!program && !is_coff_object(text)) return 0;
  try {
    const auto file = read(program, Bytes(text));
    for (const auto& image : file.images) {
      if (image.module >= file.modules.size()) std::abort();
    }
    if (holds_registered(file)) tally.add(program ? 0 : 1);
    if (!file.loaders.empty()) tally.add(2);
  } catch (const Unreadable&) {
    return 0;
  }
  return 0;
}
