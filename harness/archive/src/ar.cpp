// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ar.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace archgrid::archive {
namespace {

constexpr std::size_t kMagic = 8;
constexpr std::size_t kHeader = 60;
constexpr std::uint64_t kMaxNames = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxMemberName = 4096;

std::string_view without_spaces(std::string_view field) {
  return field.substr(0, field.find_last_not_of(' ') + 1);
}

std::optional<std::uint64_t> number(std::string_view field) {
  std::uint64_t value = 0;
  const auto end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

/// Matches symbol tables, and the tables that Windows names `/<...>/`.
bool is_table(std::string_view field) {
  return field == "/" || field == "/SYM64/" || field.starts_with("/<") ||
         field.starts_with("__.SYMDEF");
}

}  // namespace

class Ar::Data : public Stream {
 public:
  Data(Cursor& cursor, const ArMember& member)
      : cursor_(cursor), name_(member.name), rest_(member.size) {}

  std::string_view next() override {
    const auto bytes = cursor_.some(rest_);
    rest_ -= bytes.size();
    if (bytes.empty() && rest_ > 0) {
      throw Broken(fmt::format("the archive ends {} bytes before the end of its member {}", rest_,
                               fatbin::printable(name_)));
    }
    return bytes;
  }

 private:
  Cursor& cursor_;
  std::string name_;
  std::uint64_t rest_;
};

Ar::Ar(Stream& stream, bool thin, Budget& budget) : cursor_(stream), thin_(thin), budget_(budget) {
  cursor_.bytes(kMagic);
}

Ar::~Ar() = default;

bool Ar::next(ArMember& member) {
  finish_member();
  while (read_header(member)) {
    budget_.add_member();
    // Windows writes a second table of this name in another format; it is skipped.
    if (member.name == "/" && !has_symbols_) read_symbols(member, 4);
    if (member.name == "/SYM64/" && !has_symbols_) read_symbols(member, 8);
    data_ = std::make_unique<Data>(cursor_, member);
    if (member.name == "//") {
      if (member.size > kMaxNames) throw Broken("its table of names is larger than 64 MB");
      names_ = cursor_.bytes(member.size);
      if (names_.size() < member.size) throw Broken("the archive ends within its table of names");
      data_.reset();
    } else if (!is_table(member.name)) {
      if (thin_) data_.reset();
      return true;
    }
    finish_member();
  }
  expect_members_of_symbols();
  return false;
}

/// Reads a symbol table of System V, GNU or Windows: a count, then each symbol's member offset.
void Ar::read_symbols(ArMember& member, std::size_t width) {
  has_symbols_ = true;
  const auto most = member.size / width;
  const auto count = most == 0 ? 0 : std::min(read_number(width), most - 1);
  for (std::uint64_t symbol = 0; symbol < count; ++symbol) {
    last_symbols_member_ = std::max(last_symbols_member_, read_number(width));
  }
  if (most > 0) member.size -= (count + 1) * width;
}

/// Reads a big-endian number; returns 0 if the archive ends within it.
std::uint64_t Ar::read_number(std::size_t width) {
  const auto bytes = cursor_.bytes(width);
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return bytes.size() == width ? number : 0;
}

void Ar::expect_members_of_symbols() const {
  if (last_symbols_member_ < cursor_.position()) return;
  throw Problem(fmt::format(
      "the archive ends at offset {:#x}, but its table of symbols names a member at {:#x}: it was "
      "cut, or ranlib has to write the table anew",
      cursor_.position(), last_symbols_member_));
}

bool Ar::next_at(BytesStream& stream, std::uint64_t offset, ArMember& member) {
  data_.reset();
  stream.seek(offset);
  cursor_.restart(offset);
  return next(member);
}

Stream& Ar::data() {
  return *data_;
}

void Ar::finish_member() {
  if (data_) drain(*data_);
  data_.reset();
  if (cursor_.position() % 2 != 0) cursor_.bytes(1);
}

bool Ar::read_header(ArMember& member) {
  const auto at = cursor_.position();
  const auto header = cursor_.bytes(kHeader);
  if (header.find_first_not_of('\n') == std::string::npos) return false;
  const std::string_view fields(header);
  const auto size =
      header.size() < kHeader ? std::nullopt : number(without_spaces(fields.substr(48, 10)));
  if (!size || fields.substr(58) != "`\n") {
    throw Broken(fmt::format("at offset {:#x}: the header of an ar member expected here", at));
  }
  member.size = *size;
  member.origin = 0;
  member.name = name_of(without_spaces(fields.substr(0, 16)), member);
  return true;
}

std::string Ar::name_of(std::string_view field, ArMember& member) {
  if (field.starts_with("#1/")) {  // BSD: the name precedes the bytes
    const auto length = number(field.substr(3));
    if (!length || *length > kMaxMemberName || *length > member.size) {
      throw Broken(fmt::format("\"{}\" names no ar member", fatbin::printable(std::string(field))));
    }
    member.size -= *length;
    const auto name = cursor_.bytes(*length);
    return name.substr(0, name.find('\0'));
  }
  if (field == "/" || field == "//" || !field.starts_with('/') || is_table(field)) {
    // System V ends names with a slash.
    const bool slash = field.size() > 1 && field.back() == '/' && field[0] != '/';
    return std::string(field.substr(0, field.size() - (slash ? 1 : 0)));
  }
  const auto colon = std::min(field.find(':'), field.size());
  const auto offset = number(field.substr(1, colon - 1));
  if (!offset || *offset >= names_.size()) {
    throw Broken(fmt::format("\"{}\" is no place in the archive's table of names",
                             fatbin::printable(std::string(field))));
  }
  if (colon < field.size()) member.origin = number(field.substr(colon + 1)).value_or(0);
  const std::string_view rest(names_.data() + *offset, names_.size() - *offset);
  auto name = rest.substr(
      0, std::min<std::size_t>(rest.find_first_of(std::string_view("\n\0", 2)), kMaxMemberName));
  if (name.ends_with('/')) name.remove_suffix(1);
  return std::string(name);
}

}  // namespace archgrid::archive
