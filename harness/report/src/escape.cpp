// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>

namespace archgrid::report {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

/// Returns the code point of a character of two or three bytes.
unsigned code_point(std::string_view character) {
  unsigned code = static_cast<unsigned char>(character[0]) & (character.size() == 2 ? 0x1fU : 0xfU);
  for (const char byte : character.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return code;
}

/// Reports whether the character after `<` could end or disturb HTML's <script>.
bool may_end_script(std::string_view next) {
  return next == "/" || next == "!" || next == "s" || next == "S";
}

/// Returns one line of UTF-8, with a blank in place of each control character.
std::string one_line(std::string_view text) {
  auto line = utf8(text);
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  return line;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
}

constexpr std::size_t kLongestMessage = 4000;

/// Escapes the value of a workflow command, or of one of its properties.
std::string command_value(std::string_view text, bool property) {
  std::string result;
  for (const char c : utf8(text)) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','))) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto length = fatbin::character_length(text, at);
    result += length == 0 ? std::string_view(kReplacement) : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  result.reserve(text.size() + 2);
  for (std::size_t at = 0; at < text.size();) {
    const auto length = fatbin::character_length(text, at);
    const auto part = text.substr(at, std::max<std::size_t>(length, 1));
    const char c = part.front();
    if (length == 0) {
      result += kReplacement;
    } else if (part.size() > 1 && fatbin::printable(std::string(part)) != part) {
      result += fmt::format("\\u{:04x}", code_point(part));
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (is_control(c) || (c == '<' && may_end_script(text.substr(at + 1, 1)))) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      result += part;
    }
    at += part.size();
  }
  return result + '"';
}

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      case '\n':
      case '\t':
        result += c;
        break;
      default:
        if (is_control(c)) {
          result += kReplacement;
        } else {
          result += c;
        }
    }
  }
  // U+FFFE and U+FFFF are valid UTF-8, but not XML characters.
  for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (auto at = result.find(none); at != std::string::npos; at = result.find(none, at)) {
      result.replace(at, none.size(), kReplacement);
    }
  }
  return result;
}

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_{}[]<>|~&!$").find(c) != std::string_view::npos) result += '\\';
    result += c;
    // An HTML comment after @ and # prevents mentions by @name and #1.
    if (c == '@' || c == '#') result += "<!-- -->";
  }
  return result;
}

std::string markdown_code(std::string_view text, bool in_table) {
  const auto line = one_line(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  // Markdown removes one blank at both ends, which separates quotes and blanks of the name.
  const bool padded = line.empty() || line.front() == '`' || line.back() == '`' ||
                      (line.front() == ' ' && line.back() == ' ');
  auto code = padded ? ' ' + line + ' ' : line;
  if (in_table) {
    for (auto at = code.find('|'); at != std::string::npos; at = code.find('|', at + 2)) {
      code.insert(at, 1, '\\');
    }
  }
  return fence + code + fence;
}

std::string annotation(std::string_view path, std::string_view title, std::string_view message) {
  const auto file =
      path.empty() ? std::string() : fmt::format("file={},", command_value(path, true));
  return fmt::format("::error {}title={}::{}\n", file, command_value(title, true),
                     command_value(shortened(message, kLongestMessage), false));
}

std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto value = [](char c) {
    return static_cast<unsigned>(c >= 'a' ? c - 'a' + 10 : c - '0');
  };
  std::string result;
  unsigned bits = 0;
  unsigned have = 0;
  for (const char c : hex) {
    bits = (bits << 4U) | value(c);
    have += 4;
    if (have < 6) continue;
    have -= 6;
    result += kDigits[(bits >> have) & 63U];
  }
  if (have > 0) result += kDigits[(bits << (6 - have)) & 63U];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

std::string uri_path(std::string_view path) {
  std::string result;
  for (const char c : path) {
    if (is_unreserved(c)) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

}  // namespace archgrid::report
