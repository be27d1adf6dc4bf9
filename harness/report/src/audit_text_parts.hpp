// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of an audit in text, from top to bottom.
#ifndef ARCHGRID_REPORT_AUDIT_TEXT_PARTS_HPP
#define ARCHGRID_REPORT_AUDIT_TEXT_PARTS_HPP

#include <archgrid/report.hpp>
#include <archgrid/report/audit_view.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

/// Returns the maps with a legend.
std::string maps_text(const View& view, TextStyle style);

std::string findings_text(const View& view, TextStyle style);

/// Returns the suspects with one line about what they are. Many causes are counted and the most
/// important is shown, unless all are requested: nobody reads hundreds.
std::string suspects_text(const View& view, TextStyle style);

std::string notes_text(const View& view, TextStyle style);

/// Returns the last part of a path; "libx.a!x.o" for an object of a static library.
std::string_view file_name(std::string_view path);

/// Returns the name of a file; for a file of a cell, "cu130-fat/libx.so".
std::string_view place_in(std::string_view path, bool is_of_cell);

}  // namespace archgrid::report

#endif
