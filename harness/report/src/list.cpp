// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "style.hpp"

namespace archgrid::report {
namespace {

using fatbin::Body;
using fatbin::File;
using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;
using nlohmann::ordered_json;

const char* name_of(Body body) {
  switch (body) {
    case Body::code:
      return "code";
    case Body::empty:
      return "empty";
    case Body::trap:
      return "trap";
    case Body::unknown:
      break;
  }
  return "unknown";
}

std::string number(const std::optional<std::uint32_t>& value) {
  return value ? std::to_string(*value) : "-";
}

std::string module_text(const fatbin::Module& module) {
  std::string text = fmt::format("module {}", module.index);
  if (!module.section.empty()) text += "  " + fatbin::printable(module.section);
  if (!module.unit.empty()) text += "  " + fatbin::printable(module.unit);
  if (module.linked) text += "  device-linked";
  if (module.relocatable) text += "  relocatable";
  if (!module.registered && !module.section.empty()) text += "  picked by host code";
  return text;
}

std::string image_text(const Image& image) {
  const auto origin = !image.ptx_isa.empty()   ? "ISA " + image.ptx_isa
                      : !image.toolkit.empty() ? "CUDA " + image.toolkit
                                               : std::string("-");
  const auto line =
      fmt::format("  {:<5} {:<5} {:<10} {:>10}  {:<9}  {}", fatbin::name_of(image.kind),
                  image.arch.text(), origin, size_text(image.bytes),
                  fatbin::name_of(image.compression), count_text(image.kernels.size(), "kernel"));
  return image.error.empty() ? line : line + "  unreadable: " + image.error;
}

std::string kernels_text(const std::vector<const Image*>& images, Style style) {
  using Row = std::pair<const Image*, const Kernel*>;
  std::map<std::string, std::vector<Row>> rows;
  for (const auto* image : images) {
    for (const auto& kernel : image->kernels) rows[kernel.name].emplace_back(image, &kernel);
  }
  if (rows.empty()) return {};
  auto text = paint(fmt::format("    {:<5} {:>5} {:>6} {:>7} {:>6}  {}", "image", "regs", "stack",
                                "shared", "const", "body"),
                    Ink::soft, style) +
              '\n';
  for (const auto& [name, bodies] : rows) {
    text += "    " + fatbin::demangle(name) + '\n';
    for (const auto& [image, kernel] : bodies) {
      text += fmt::format("    {:<5} {:>5} {:>6} {:>7} {:>6}  {}\n",
                          (image->kind == Kind::ptx ? "p" : "s") + image->arch.text(),
                          number(kernel->registers), number(kernel->stack), number(kernel->shared),
                          number(kernel->constant), name_of(kernel->body));
    }
  }
  return text;
}

std::string file_text(const File& file, Style style) {
  std::set<std::string> kernels;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) kernels.insert(kernel.name);
  }
  auto text =
      paint(file.path, Ink::strong, style) +
      fmt::format(": {}, {}, {}, {}\n", file.format, count_text(file.modules.size(), "module"),
                  count_text(file.images.size(), "image"), count_text(kernels.size(), "kernel"));
  std::vector<std::vector<const Image*>> images(file.modules.size());
  for (const auto& image : file.images) images.at(image.module).push_back(&image);
  for (const auto& module : file.modules) {
    text += module_text(module) + '\n';
    for (const auto* image : images[module.index]) text += image_text(*image) + '\n';
    text += kernels_text(images[module.index], style);
  }
  if (!file.dangling.empty()) {
    text += fmt::format("{} registered but not in the file (stripped)\n",
                        count_text(file.dangling.size(), "fat binary container"));
  }
  for (const auto& loader : file.loaders) {
    text += fmt::format("imports {}: code loaded at run time is not seen here\n", loader);
  }
  return text;
}

ordered_json kernel_json(const Kernel& kernel) {
  ordered_json json = {{"name", kernel.name}, {"demangled", fatbin::demangle(kernel.name)}};
  const auto add = [&json](const char* key, const std::optional<std::uint32_t>& value) {
    if (value) json[key] = *value;
  };
  add("registers", kernel.registers);
  add("stack", kernel.stack);
  add("shared", kernel.shared);
  add("constant", kernel.constant);
  json["body"] = name_of(kernel.body);
  return json;
}

ordered_json image_json(const Image& image) {
  ordered_json json = {
      {"module", image.module},    {"section", image.section},
      {"offset", image.offset},    {"kind", fatbin::name_of(image.kind)},
      {"arch", image.arch.text()}, {"compression", fatbin::name_of(image.compression)},
      {"bytes", image.bytes},      {"stored", image.stored}};
  const auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("ptx_isa", image.ptx_isa);
  add("toolkit", image.toolkit);
  add("options", image.options);
  add("source", image.source);
  add("error", image.error);
  json["kernels"] = ordered_json::array();
  for (const auto& kernel : image.kernels) json["kernels"].push_back(kernel_json(kernel));
  return json;
}

ordered_json module_json(const fatbin::Module& module) {
  ordered_json json = {{"index", module.index},   {"section", module.section},
                       {"offset", module.offset}, {"registered", module.registered},
                       {"linked", module.linked}, {"relocatable", module.relocatable}};
  if (!module.unit.empty()) json["unit"] = module.unit;
  return json;
}

ordered_json file_json(const File& file) {
  ordered_json json = {{"path", file.path}, {"format", file.format}};
  json["modules"] = ordered_json::array();
  for (const auto& module : file.modules) json["modules"].push_back(module_json(module));
  json["images"] = ordered_json::array();
  for (const auto& image : file.images) json["images"].push_back(image_json(image));
  json["errors"] = ordered_json::array();
  for (const auto& error : file.errors) {
    json["errors"].push_back({{"offset", error.offset}, {"message", error.message}});
  }
  json["stripped"] = file.dangling.size();
  json["loaders"] = file.loaders;
  return json;
}

}  // namespace

std::string list_text(const std::vector<File>& files, Style style) {
  std::string text;
  for (const auto& file : files) {
    if (file.format.empty() && file.modules.empty()) continue;  // its errors say why
    if (!text.empty()) text += '\n';
    text += file_text(file, style);
  }
  return text;
}

std::string list_json(const std::vector<File>& files) {
  ordered_json json = {{"schema", "archgrid.list/1"}, {"files", ordered_json::array()}};
  for (const auto& file : files) json["files"].push_back(file_json(file));
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace archgrid::report
