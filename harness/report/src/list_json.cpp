// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "dump_json.hpp"
#include "list_shared.hpp"

namespace archgrid::report {
namespace {

using fatbin::File;
using fatbin::Image;
using fatbin::Kernel;
using nlohmann::ordered_json;

/// A writer of one image or kernel per line, which keeps a document of a hundred megabytes
/// readable.
class Writer {
 public:
  explicit Writer(const Sink& sink) : sink_(sink) {}

  void write(const std::vector<File>& files, bool filtered) {
    sink_("{\n\"schema\": \"archgrid.list/1\",\n\"files\": [");
    bool first = true;
    for (const auto& file : files) {
      sink_(first ? "\n" : ",\n");
      first = false;
      write_file(file, filtered);
    }
    sink_("],\n\"by_arch\": ");
    write_items(by_arch(files));
    sink_(",\n\"summary\": " + dump(summary_json(files)) + "\n}\n");
  }

 private:
  static ordered_json summary_json(const std::vector<File>& files) {
    const auto counts = counts_of(files);
    return {{"files", counts.files},     {"images", counts.images},
            {"kernels", counts.kernels}, {"distinct_kernels", counts.names},
            {"stored", counts.stored},   {"bytes", counts.bytes},
            {"errors", counts.errors}};
  }

  static std::vector<ordered_json> by_arch(const std::vector<File>& files) {
    std::vector<ordered_json> items;
    for (const auto& [key, sum] : bytes_by_arch(files)) {
      items.push_back({{"kind", fatbin::name_of(std::get<0>(key))},
                       {"arch", arch_of(key)},
                       {"images", sum.images},
                       {"bytes", sum.bytes},
                       {"stored", sum.stored}});
    }
    return items;
  }

  void write_items(const std::vector<ordered_json>& items) {
    sink_("[");
    for (std::size_t index = 0; index < items.size(); ++index) {
      sink_((index == 0 ? "\n  " : ",\n  ") + dump(items[index]));
    }
    sink_("]");
  }

  void write_file(const File& file, bool filtered) {
    ordered_json head = {{"path", file.path}, {"format", file.format}, {"bytes", file.bytes}};
    auto text = dump(head);
    text.pop_back();
    sink_(text + ",\n\"modules\": ");
    write_items(modules_of(file, filtered));
    sink_(",\n\"images\": [");
    bool first = true;
    for (const auto& image : file.images) {
      sink_(first ? "\n  " : ",\n  ");
      first = false;
      write_image(image);
    }
    std::vector<ordered_json> errors;
    for (const auto& error : file.errors) {
      errors.push_back({{"offset", error.offset}, {"message", fatbin::printable(error.message)}});
    }
    sink_("],\n\"errors\": ");
    write_items(errors);
    sink_(",\n\"stripped\": " + std::to_string(file.dangling.size()) + ", \"loaders\": " +
          dump(file.loaders) + ", \"named_loaders\": " + dump(file.named_loaders) + "}");
  }

  static std::vector<ordered_json> modules_of(const File& file, bool filtered) {
    std::vector<bool> held(file.modules.size(), !filtered);
    for (const auto& image : file.images) held.at(image.module) = true;
    std::vector<ordered_json> items;
    for (const auto& module : file.modules) {
      if (!held.at(module.index)) continue;
      items.push_back({{"index", module.index},
                       {"section", module.section},
                       {"offset", module.offset},
                       {"registered", module.registered},
                       {"linked", module.linked},
                       {"relocatable", module.relocatable}});
      if (!module.unit.empty()) items.back()["unit"] = module.unit;
    }
    return items;
  }

  void write_image(const Image& image) {
    auto text = dump(image_json(image));
    text.pop_back();
    sink_(text + ",\"kernels\":[");
    for (std::size_t index = 0; index < image.kernels.size(); ++index) {
      sink_((index == 0 ? "\n    " : ",\n    ") + dump(kernel_json(image.kernels[index])));
    }
    sink_("]}");
  }

  static ordered_json image_json(const Image& image) {
    ordered_json json = {{"module", image.module},
                         {"section", image.section},
                         {"offset", image.offset},
                         {"kind", fatbin::name_of(image.kind)},
                         {"arch", image.arch.text()},
                         {"compression", fatbin::name_of(image.compression)},
                         {"bytes", image.decompressed_bytes},
                         {"stored", image.stored}};
    const auto add = [&json](const char* key, const std::string& value) {
      if (!value.empty()) json[key] = value;
    };
    add("ptx_isa", image.ptx_isa);
    if (image.compiled_from) add("compiled_from", image.compiled_from->text());
    add("toolkit", image.toolkit);
    add("options", image.options);
    add("source", image.source);
    if (image.debug) json["debug"] = true;
    if (image.obfuscated) json["obfuscated"] = true;
    add("error", fatbin::printable(image.error));
    return json;
  }

  ordered_json kernel_json(const Kernel& kernel) {
    ordered_json json = {{"name", kernel.name}, {"demangled", demangled(kernel.name)}};
    const auto add = [&json](const char* key, const auto& value) {
      if (value) json[key] = *value;
    };
    add("registers", kernel.registers);
    add("stack", kernel.stack);
    add("shared", kernel.shared);
    add("constant", kernel.constant);
    add("code", kernel.code_bytes);
    add("spill_stores", kernel.spill_stores);
    add("spill_loads", kernel.spill_loads);
    add("max_threads", kernel.max_threads);
    add("required_threads", kernel.required_threads);
    json["body"] = name_of(kernel.body);
    if (!kernel.identity.empty()) json["identity"] = kernel.identity;
    return json;
  }

  const std::string& demangled(const std::string& name) {
    const auto [known, fresh] = demangled_.try_emplace(name);
    if (fresh) known->second = fatbin::demangle(name);
    return known->second;
  }

  const Sink& sink_;
  std::unordered_map<std::string, std::string> demangled_;
};

}  // namespace

const char* name_of(fatbin::Body body) {
  switch (body) {
    case fatbin::Body::code:
      return "code";
    case fatbin::Body::empty:
      return "empty";
    case fatbin::Body::inert:
      return "inert";
    case fatbin::Body::trap:
      return "trap";
    case fatbin::Body::print:
      return "print";
    case fatbin::Body::print_trap:
      return "print-trap";
    case fatbin::Body::assertion:
      return "assert";
    case fatbin::Body::unknown:
      break;
  }
  return "unknown";
}

void list_json(const std::vector<File>& files, const ListRequest& request, const Sink& sink) {
  Writer(sink).write(files, !request.filter.passes_all());
}

}  // namespace archgrid::report
