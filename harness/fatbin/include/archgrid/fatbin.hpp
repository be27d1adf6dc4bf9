// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What device code a file holds: bytes -> modules -> images -> kernels. Knows no policy.
// C++17, because test code of every supported toolkit's host compiler includes it.
#ifndef ARCHGRID_FATBIN_HPP
#define ARCHGRID_FATBIN_HPP

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::fatbin {

enum class Kind { sass, ptx, lto, tile, other };
enum class Compression { none, lz4, lz4_frame, zstd };

/// What a kernel's machine code or PTX does. `unknown` where the encoding is not read. All but
/// `code` and `unknown` store nothing that outlasts their block, also in the functions that they
/// call.
enum class Body {
  code,
  empty,       ///< returns at once
  inert,       ///< reads, waits, or writes to shared memory and its stack
  trap,        ///< stops the grid
  print,       ///< calls printf
  print_trap,  ///< calls printf and stops the grid
  assertion,   ///< calls assert, maybe printf too
  unknown
};

/// Reports whether a body leaves all work undone: each but `code` and `unknown`.
constexpr bool is_idle(Body body) {
  return body != Body::code && body != Body::unknown;
}

/// Reports whether an idle body calls printf or assert. A kernel may be made for that.
constexpr bool reports(Body body) {
  return body == Body::print || body == Body::print_trap || body == Body::assertion;
}

/// An architecture as images record it: 90 with the suffix 'a', 'f' or none ('\0').
struct Arch {
  int number = 0;
  char suffix = '\0';
  /// "90a"
  [[nodiscard]] std::string text() const;
};

inline bool operator==(Arch left, Arch right) {
  return left.number == right.number && left.suffix == right.suffix;
}

using Threads = std::array<std::uint32_t, 3>;  ///< x, y, z

/// Which instructions machine code holds: a bit for the low nine bits of each opcode, which name
/// the operation, whatever the form of its operands.
using Opcodes = std::bitset<512>;

/// Opcodes of operations by which one tells what a kernel was made for (nvdisasm -hex).
namespace opcode {
constexpr std::size_t kFfma = 0x023;
constexpr std::size_t kDfma = 0x02b;
constexpr std::size_t kImma = 0x037;    ///< tensor cores: integers
constexpr std::size_t kLdsm = 0x03b;    ///< ldmatrix
constexpr std::size_t kHmma = 0x03c;    ///< tensor cores: f16, bf16, tf32
constexpr std::size_t kDmma = 0x03f;    ///< tensor cores: f64
constexpr std::size_t kQmma = 0x07a;    ///< tensor cores: 8-bit floating point
constexpr std::size_t kLdgsts = 0x1ae;  ///< cp.async
}  // namespace opcode

/// One `__global__` entry function of one image. Sizes are in bytes; those that the image does not
/// record are absent (PTX records none).
struct Kernel {
  std::string name;  ///< mangled
  std::optional<std::uint32_t> registers;
  std::optional<std::uint32_t> stack;
  std::optional<std::uint32_t> shared;  ///< static, with what the system reserves (1 KiB on 9.0)
  std::optional<std::uint32_t> constant;
  std::optional<std::uint32_t> code;  ///< machine code
  std::optional<std::uint32_t>
      spill_stores;  ///< absent where not recorded: before CUDA 12.8, below 7.0
  std::optional<std::uint32_t> spill_loads;
  std::optional<Threads> max_threads;       ///< of a block: __launch_bounds__, .maxntid
  std::optional<Threads> required_threads;  ///< of a block: __block_size__, .reqntid
  Body body = Body::unknown;
  /// Writes to memory other than its stack, or calls something that may.
  bool stores = false;
  bool may_store = false;  ///< `stores`, but only by calls whose target is not known
  /// The format string or condition of the first printf() or assert() of a body that does no more;
  /// null where it is not known.
  std::shared_ptr<const std::string> says;
  /// A string of the host code is the name: what `<<<>>>` launches is registered by name.
  bool named_by_host = false;
  /// Equal where the machine code is. Known where several modules that are not registered have a
  /// kernel of this name for one arch.
  std::optional<std::uint64_t> code_hash;
  /// Of machine code from 7.0 on, with Detail::everything. With Detail::bodies and
  /// ReadOptions::host_names of the oldest machine code of modules that lack an arch for which
  /// at least half of the modules have code: that may be why. Else none.
  Opcodes opcodes;
  /// Has matrix products whose A is 2:4 sparse (HMMA.SP, IMMA.SP; 8.0 on), which `opcodes` does not
  /// tell from dense ones. Known where those are. Products by other operations, as of 8-bit
  /// floating point (QMMA), are not looked at.
  bool multiplies_2_to_4 = false;
};

/// One entry of a fat binary, or a cubin or PTX outside of any.
struct Image {
  std::size_t module = 0;  ///< index into File::modules
  std::string section;
  std::uint64_t offset = 0;  ///< of the entry, in the file
  Kind kind = Kind::other;
  std::uint16_t kind_code = 0;  ///< as the entry says it, for `other`
  Arch arch;
  Compression compression = Compression::none;
  std::uint64_t bytes = 0;   ///< decompressed
  std::uint64_t stored = 0;  ///< in the file
  std::string ptx_isa;       ///< "9.0"; PTX only
  /// Machine code: for which arch the PTX was that it was compiled from, all of it. Absent where
  /// that is not recorded: before CUDA 13, and of a suffix 'a' (compute_90 may be compiled for
  /// sm_90a).
  std::optional<Arch> compiled_from;
  std::string toolkit;      ///< "13.0"; empty where not recorded
  std::string options;      ///< what ptxas or the JIT was, or is to be, given
  std::string source;       ///< recorded with -lineinfo or -G only
  bool debug = false;       ///< made with -G
  bool obfuscated = false;  ///< its content is hidden on purpose
  std::vector<Kernel> kernels;
  /// Functions and variables, mangled, that the code uses and does not define (-rdc). Those of the
  /// driver and of the device runtime are left out.
  std::vector<std::string> undefined;
  std::vector<std::string> defined;  ///< by relocatable code, for other code
  bool variables = false;            ///< machine code with `__device__` or `__constant__` variables
  bool unread = false;  ///< its content was not asked for: what kernels it has is not known
  std::string error;    ///< why the content could not be read; empty if it was
};

/// One fat binary container: the driver chooses one image of it. Also a cubin or PTX that lies in
/// none: a file of its own, or data that host code loads.
struct Module {
  std::size_t index = 0;
  std::string section;
  std::uint64_t offset = 0;
  std::string unit;          ///< "gemm.cu", where the host symbol table tells
  bool registered = false;   ///< the CUDA runtime is told of it; else host code picks from it
  bool linked = false;       ///< made by the device linker: relocatable modules are its parts
  bool relocatable = false;  ///< one object of a device link (-rdc): serves by JIT linking only
};

/// A place that could not be read. The file may hold more than what was found.
struct Error {
  std::uint64_t offset = 0;
  std::string message;
};

struct File {
  std::string path;
  /// "executable", "shared object", "DLL", "object", "cubin", "fatbin", "ptx"; "archive" or
  /// "folder" for one in which no file holds device code.
  std::string format;
  /// The CPU that the host code is for: "x86-64" or "aarch64"; empty for another one, and for
  /// device code alone.
  std::string host_cpu;
  std::uint64_t bytes = 0;  ///< of the whole file
  std::vector<Module> modules;
  std::vector<Image> images;
  std::vector<Error> errors;
  /// An object that holds data of the host compiler's link-time optimisation (-flto) in place of
  /// machine code: device code among them is not seen. Where kernels are, that is an error.
  bool host_lto = false;
  /// Registrations whose fat binary is not in the file (stripped): address or offset of each.
  std::vector<std::uint64_t> dangling;
  /// Relocatable units (-rdc) of a library whose registration another file has to define, since no
  /// device link is in this one: by the symbol that it imports. And those that it defines.
  std::vector<std::string> unlinked;
  std::vector<std::string> linked;
  /// Libraries that the system loads with the file, as it names them: "libcudart.so.13".
  std::vector<std::string> needed;
  /// Functions imported that load device code at run time, invisible here, and the libraries that
  /// compile or link it.
  std::vector<std::string> loaders;
  /// The same where they are only named by a string of the program, which may look them up (dlopen)
  /// or not: a guess.
  std::vector<std::string> named_loaders;
  bool speaks_of_nvrtc = false;  ///< some string of the program has "nvrtc" in it
};

/// How much of a file is read. Less is faster, since the images of big libraries are compressed,
/// and notices less: headers, frames and tables must be whole in any case, but damage inside a
/// compressed image is an error only where that is decompressed, which is certain with `everything`
/// alone.
enum class Detail {
  archs,      ///< kinds, architectures and sizes; no image is looked into
  names,      ///< and the names of kernels; not those of PTX whose module has machine code, too
  bodies,     ///< and Kernel::body, and Kernel::stores of those that do nothing somewhere
  everything  ///< and all that Kernel and Image have
};

/// By image: whether it is PTX from which machine code of its module was compiled, with all its
/// kernels. That tells better what they do: of what no thread reaches nothing is left.
std::vector<bool> superseded_ptx(const std::vector<Image>& images);

/// Whether anyone takes PTX of a module with these images, of which no more than Detail::archs is
/// known. Asked by several threads at once.
using TakesPtx = std::function<bool(const std::vector<const Image*>& images)>;

/// Bounds the bytes to which compressed images decompress, in all files together that are read with
/// it. Used by several threads at once.
class Allowance {
 public:
  explicit Allowance(std::uint64_t bytes) : bytes_(bytes) {}

  /// Returns false when this image and those before it take more than there is.
  bool take(std::uint64_t bytes) { return taken_.fetch_add(bytes) + bytes <= bytes_; }

  /// Makes the allowance at least so large.
  void grow_to(std::uint64_t bytes) {
    auto now = bytes_.load();
    while (now < bytes && !bytes_.compare_exchange_weak(now, bytes)) {
    }
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::atomic<std::uint64_t> bytes_;
  std::atomic<std::uint64_t> taken_ = 0;
};

struct ReadOptions {
  ReadOptions() = default;
  ReadOptions(Detail how_much) : detail(how_much) {}  // so that a Detail alone will do

  Detail detail = Detail::everything;
  /// Empty: all PTX is read. Else what nobody takes of registered modules is left unread where it
  /// tells nothing that machine code beside it does not (superseded_ptx).
  TakesPtx takes_ptx;
  /// Finds the kernels that host code names (Kernel::named_by_host). Takes up to a quarter of the
  /// time of Detail::bodies, as all strings are looked up.
  bool host_names = true;
  /// Null: each file has one of its own, of 1 GiB and 200 times its size.
  std::shared_ptr<Allowance> allowance;
};

/// Reads a file. Never throws for what the file holds: whatever cannot be read is in `errors`, or
/// in the image's `error`.
File read(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for bytes in memory; `name` becomes File::path.
File read_bytes(std::string_view bytes, std::string name, const ReadOptions& options = {});

/// Returns the decompressed content of an image of the file with these bytes; empty where it cannot
/// be read.
std::string content_of(std::string_view bytes, const Image& image);

/// How many first bytes tell what a file is.
constexpr std::size_t kFirstBytes = std::size_t{64} * 1024;

/// Whether a file that begins so is of a format that may hold device code, so that it is worth
/// reading and an error where it cannot be read. Its name says nothing.
bool recognises(std::string_view first_bytes);

/// How many bytes the well-formed character of UTF-8 at `at` has; 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t at);

/// The text with `?` for what may harm a terminal, or deceive who reads it: control characters,
/// those that turn the direction of writing, and bytes that are no UTF-8.
std::string printable(std::string text);

/// At most `most` bytes of UTF-8: the beginning and the end.
std::string shortened(std::string_view text, std::size_t most);

/// "void tile<3>(float*, int)", printable; a name that is not mangled, or too long for the C++
/// runtime (libstdc++ gives up at about 2,000 characters of template arguments), comes back as it
/// is.
std::string demangle(const std::string& name);

/// Returns "gemm.cu" for one of File::unlinked; the symbol itself where it names no file.
std::string unit_of_unlinked(const std::string& symbol);

const char* name_of(Kind kind);
const char* name_of(Compression compression);

}  // namespace archgrid::fatbin

#endif
