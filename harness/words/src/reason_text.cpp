// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/words.hpp>

namespace archgrid::report {
namespace {

using coverage::Reason;
using coverage::ReasonDetail;
using coverage::Why;
using fatbin::Body;
using fatbin::Kind;

/// Returns "sm_90a" for machine code, "compute_90" for PTX.
std::string image_text(const Reason& reason) {
  const char* prefix = reason.kind == Kind::sass  ? "sm_"
                       : reason.kind == Kind::ptx ? "compute_"
                                                  : "";
  return prefix + reason.arch.text();
}

const char* predicate_of(Body body) {
  switch (body) {
    case Body::inert:
      return "stores nothing that outlasts its block";
    case Body::trap:
      return "only traps";
    case Body::print:
      return "only prints";
    case Body::print_trap:
      return "only prints and traps";
    case Body::assertion:
      return "only asserts";
    default:
      return "is empty";
  }
}

bool is_for(const Reason& reason, std::string_view device) {
  const auto own = coverage::parse_device(device);
  return own && own->number() == reason.arch.number;
}

/// Returns the sentence without the containers from which host code picks.
std::string text_of_image(const Reason& reason, std::string_view device) {
  static const ReasonDetail kNone;
  const auto& detail = reason.detail ? *reason.detail : kNone;
  const auto image = image_text(reason);
  switch (reason.why) {
    case Why::machine_code:
      return fmt::format("{} machine code {} {}", image,
                         is_for(reason, device) ? "is for" : "also loads on", device);
    case Why::ptx:
      return fmt::format("{} PTX is compiled for {} at load time", image, device);
    case Why::ptx_without_isa:
      return fmt::format("{} PTX names no ISA version", image);
    case Why::ptx_beyond_table:
      return fmt::format("{} PTX has ISA {}; {} is newer than archgrid's table", image, detail.text,
                         detail.driver.value().name);
    case Why::ptx_too_new:
      return fmt::format("{} PTX has ISA {}, but {} reads {} at most", image, detail.text,
                         detail.driver.value().name, detail.driver.value().ptx_isa.text());
    case Why::no_image:
      return fmt::format("none of its code runs on {}", device);
    case Why::disagreement:
      return fmt::format("sources disagree whether {} machine code loads on {}", image, device);
    case Why::opaque:
      return fmt::format("only {} for {}, which archgrid cannot judge, may serve {}",
                         reason.kind == Kind::lto ? "LTO-IR" : "an image", reason.arch.text(),
                         device);
    case Why::suffix:
      return fmt::format("{} would run on {} without its suffix '{}'", image, device,
                         reason.arch.suffix);
    case Why::unreadable:
      return fmt::format("the {} image, which would serve {}, could not be read: {}", image, device,
                         detail.text);
    case Why::undefined:
      return fmt::format("its {} {} uses {}, which no file that was audited defines (-rdc=true)",
                         image, reason.kind == Kind::ptx ? "PTX" : "machine code",
                         fatbin::demangle(detail.text));
    case Why::idle:
      return fmt::format("its {} body {}, while another of its bodies stores to memory", image,
                         predicate_of(reason.body));
    case Why::twins:
      return fmt::format("its module has several {} images, and only some hold it", image);
    case Why::lacking:
      return fmt::format("{} takes the {} image of its module, which lacks it", device, image);
    case Why::no_object:
      return fmt::format("no relocatable object holds it for {}", device);
    case Why::relinked:
      return fmt::format("the {} relocatable objects are compiled and linked for {} at load time",
                         reason.objects, device);
    case Why::object_opaque:
      return fmt::format(
          "no linked image serves {}; archgrid cannot judge whether the {} of {} can be linked "
          "anew",
          device, reason.kind == Kind::lto ? "LTO-IR" : "device code", detail.object);
    case Why::object_without_ptx:
      return fmt::format("no linked image serves {}, and {} has no PTX to link anew", device,
                         detail.object);
    case Why::object_unreadable:
      break;
  }
  return fmt::format("the {} image of {} could not be read: {}", image, detail.object, detail.text);
}

}  // namespace

std::string reason_text(const Reason& reason, std::string_view device) {
  auto text = text_of_image(reason, device);
  if (reason.is_of_one_link) {
    text += ", which only matters if it is part of this one of several links";
  }
  if (reason.implementations > 1) {
    return fmt::format(
        "{} (host code picks from {} images or fat binaries, which hold {} programs of this name: "
        "their code for one arch differs)",
        text, reason.picked_from, reason.implementations);
  }
  if (reason.picked_from == 0) return text;
  return fmt::format("{} (the best of {} containers that host code picks from)", text,
                     reason.picked_from);
}

}  // namespace archgrid::report
