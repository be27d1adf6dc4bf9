// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the device code in a file: bytes -> modules -> images -> kernels. Contains no policy.
// C++17, because the host compiler of every supported toolkit compiles it as part of test code.
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

/// The work that a kernel's machine code or PTX does; `unknown` if the encoding is not supported.
/// Bodies other than `code` and `unknown`, and the functions that they call, store nothing that
/// outlasts their block.
enum class Body {
  code,
  empty,  ///< returns at once
  inert,  ///< no side effect outside its block: loads, barriers, stores to shared or local memory
  trap,   ///< stops the grid
  print,  ///< calls printf
  print_trap,  ///< calls printf and stops the grid
  assertion,   ///< calls assert, maybe printf too
  unknown
};

/// Reports whether a body does no work: any but `code` and `unknown`.
constexpr bool is_idle(Body body) {
  return body != Body::code && body != Body::unknown;
}

/// Reports whether an idle body calls printf or assert, which may be the kernel's purpose.
constexpr bool prints_or_asserts(Body body) {
  return body == Body::print || body == Body::print_trap || body == Body::assertion;
}

/// An architecture as images record it: 90 with the suffix 'a', 'f' or none ('\0').
struct Arch {
  int number = 0;
  char suffix = '\0';
  /// Returns "90a", for example.
  [[nodiscard]] std::string text() const;
};

inline bool operator==(Arch left, Arch right) {
  return left.number == right.number && left.suffix == right.suffix;
}

using BlockDim = std::array<std::uint32_t, 3>;  ///< x, y, z

/// The operations in machine code: one bit for each value of an opcode's low nine bits, which
/// identify the operation.
using Opcodes = std::bitset<512>;

/// Opcodes of operations that show what a kernel was written for. Source: nvdisasm -hex.
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
  /// Static; from 9.0 on it includes the 1 KiB that the system reserves.
  std::optional<std::uint32_t> shared;
  std::optional<std::uint32_t> constant;    ///< size of constant bank 0, parameters included
  std::optional<std::uint32_t> code_bytes;  ///< machine code
  /// Spills are absent from code of toolkits before CUDA 12.8, and for GPUs below 7.0.
  std::optional<std::uint32_t> spill_stores;
  std::optional<std::uint32_t> spill_loads;
  std::optional<BlockDim> max_threads;       ///< per block: __launch_bounds__, .maxntid
  std::optional<BlockDim> required_threads;  ///< per block: __block_size__, .reqntid
  Body body = Body::unknown;
  /// Writes to memory other than its stack, or calls something that may. Stores to shared memory
  /// count, so it may be true of an `inert` body.
  bool stores = false;
  bool may_store = false;  ///< `stores` is set only because of calls to unknown targets
  /// Format string of the first printf(), or condition of the first assert(), of a body that does
  /// nothing else; null if unknown.
  std::shared_ptr<const std::string> message;
  /// A string in the host code equals the name, as for every kernel that `<<<>>>` launches: kernels
  /// are registered by name.
  bool named_by_host = false;
  /// Several registered modules have a kernel of this name, and one host function, a weak symbol of
  /// the file, launches them all. `static` kernels of one name have a function each.
  bool has_shared_stub = false;
  /// Hash of the machine code. Set if several modules that host code loads itself have a kernel of
  /// this name for one arch, to show whether they are different kernels.
  std::optional<std::uint64_t> code_hash;
  /// Hash of what a GPU executes, as 32 hexadecimal digits: it changes with machine code, constants
  /// and resources, of the kernel and of the functions and variables that it reaches, and not with
  /// folders, build machines, the order of a link or addresses. For PTX, of its text. Empty if
  /// unknown, and without ReadOptions::wants_identities.
  std::string identity;
  /// Operations of machine code from 7.0 on, with Detail::everything. With Detail::bodies, only in
  /// the images that ReadOptions::wants_opcodes describes. Empty otherwise.
  Opcodes opcodes;
  /// Contains matrix products whose A is 2:4 sparse (HMMA.SP, IMMA.SP; 8.0 on), which `opcodes`
  /// does not distinguish from dense ones. Set with Detail::everything. Other operations are
  /// ignored, such as products of 8-bit floating point (QMMA).
  bool uses_sparse_mma = false;
};

/// One entry of a fat binary, or a cubin or PTX outside of fat binaries.
struct Image {
  std::size_t module = 0;  ///< index into File::modules
  std::string section;
  std::uint64_t offset = 0;  ///< offset of the entry in the file
  Kind kind = Kind::other;
  std::uint16_t kind_code = 0;  ///< raw value of the entry, for `other`
  Arch arch;
  Compression compression = Compression::none;
  std::uint64_t decompressed_bytes = 0;
  std::uint64_t stored = 0;  ///< size in the file
  std::string ptx_isa;       ///< "9.0"; PTX only
  /// The arch of the PTX that all of the machine code was compiled from. Absent if it is not
  /// recorded: before CUDA 13, and for the suffix 'a' (compute_90 may be compiled for sm_90a).
  std::optional<Arch> compiled_from;
  std::string toolkit;      ///< "13.0"; empty if not recorded
  std::string options;      ///< options that ptxas or the JIT was, or will be, given
  std::string source;       ///< recorded with -lineinfo or -G only
  bool debug = false;       ///< compiled with -G
  bool obfuscated = false;  ///< its content is hidden on purpose
  std::vector<Kernel> kernels;
  /// Functions and variables, mangled, that the code uses and does not define (-rdc), except those
  /// of the driver and of the device runtime.
  std::vector<std::string> undefined;
  std::vector<std::string> defined;  ///< symbols that relocatable code defines for other code
  bool variables = false;            ///< machine code with `__device__` or `__constant__` variables
  bool unread = false;               ///< content not requested, so its kernels are unknown
  std::string error;                 ///< why the content could not be read; else empty
};

/// One fat binary container, of which the driver chooses one image. Also a cubin or PTX outside of
/// containers: a separate file, or data that host code loads.
struct Module {
  std::size_t index = 0;
  std::string section;
  std::uint64_t offset = 0;
  std::string unit;          ///< "gemm.cu", if the host symbol table names it
  bool registered = false;   ///< registered with the CUDA runtime; else host code loads it itself
  bool linked = false;       ///< made by the device linker from relocatable modules
  bool relocatable = false;  ///< one object of a device link (-rdc): usable by JIT linking only
};

/// A place that could not be read, so the file may contain more than was found.
struct Error {
  std::uint64_t offset = 0;
  std::string message;
};

struct File {
  std::string path;
  /// "executable", "shared object", "DLL", "object", "cubin", "fatbin", "ptx"; "archive" or
  /// "folder" for one in which no file contains device code; empty if the format is unknown.
  std::string format;
  /// The CPU of the host code: "x86-64" or "aarch64"; empty for another CPU, and for device code
  /// alone.
  std::string host_cpu;
  std::uint64_t bytes = 0;  ///< size of the whole file
  std::vector<Module> modules;
  std::vector<Image> images;
  std::vector<Error> errors;
  /// The object contains data of the host compiler's link-time optimisation (-flto) instead of
  /// machine code, which hides device code in it. Data with kernels is in `errors` instead.
  bool host_lto = false;
  /// Addresses or offsets of registrations whose fat binary is not in the file (stripped).
  std::vector<std::uint64_t> dangling;
  /// Registration functions of relocatable units (-rdc), which a device link defines. The file
  /// imports the undefined ones: it was not device-linked, and another file has to define them.
  std::vector<std::string> undefined_registrations;
  std::vector<std::string> defined_registrations;
  /// Libraries that the system loads with the file, as it names them: "libcudart.so.13".
  std::vector<std::string> needed;
  /// Imported functions that load device code at run time, which is invisible here, and the
  /// libraries that compile or link such code.
  std::vector<std::string> loaders;
  /// Loaders that only a string of the program names. A guess, as the program may or may not look
  /// them up (dlopen).
  std::vector<std::string> named_loaders;
  bool mentions_nvrtc = false;  ///< a string of the program contains "nvrtc"
};

/// The amount of a file to read. Less is faster, as the images of big libraries are compressed, but
/// detects less damage: headers, frames and tables must always be whole, while damage inside a
/// compressed image is an error only if the image is decompressed. Only `everything` guarantees
/// that.
enum class Detail {
  archs,  ///< kinds, architectures and sizes, without the content of images
  names,  ///< also names of kernels, except of PTX beside machine code (Image::unread)
  /// Also Kernel::body, message, code_bytes, and stores of kernels with an idle body in some image;
  /// what host code says of kernels; symbols and toolkits of images.
  bodies,
  everything  ///< also everything else in Kernel and Image
};

/// Reports for each image whether it is PTX from which machine code of its module was compiled
/// (Image::compiled_from). That machine code is better evidence of what the PTX's kernels do, as
/// unreachable code is already gone from it.
std::vector<bool> superseded_ptx(const std::vector<Image>& images);

/// A function that reports whether PTX of a module with these images is needed, for example for a
/// GPU that would run it. Only the fields of Detail::archs are set. Called by several threads at
/// once.
using NeedsPtx = std::function<bool(const std::vector<const Image*>& images)>;

/// A limit on the bytes to which compressed images decompress, in all files read with it. Used by
/// several threads at once.
class DecompressionLimit {
 public:
  explicit DecompressionLimit(std::uint64_t bytes) : bytes_(bytes) {}

  /// Adds an image; returns false if it and those before it exceed the limit. One that exceeds it
  /// counts, too.
  bool take(std::uint64_t bytes) { return taken_.fetch_add(bytes) + bytes <= bytes_; }

  /// Raises the limit to at least `bytes`.
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
  ReadOptions(Detail how_much) : detail(how_much) {}  // implicit, so that a Detail suffices

  Detail detail = Detail::everything;
  /// Empty: all PTX is read. Else superseded PTX (superseded_ptx) of modules for which it returns
  /// false stays unread, except in device-linked modules and unregistered ones. Detail::names reads
  /// no PTX beside machine code in any case.
  NeedsPtx needs_ptx;
  /// Finds the kernels that host code names (Kernel::named_by_host), except with Detail::names.
  /// Takes up to a tenth of the time of Detail::bodies, as all strings are looked up.
  bool host_names = true;
  /// Reports whether Detail::bodies also fills Kernel::opcodes in the file with this path. Empty:
  /// all files. Needs `host_names`, and takes up to a fifth of the time. For each list of archs
  /// that begins above the file's oldest arch, the four largest images are read, of 1 GiB in all:
  /// they may show why that arch is absent.
  std::function<bool(std::string_view path)> wants_opcodes;
  /// Selects images whose kernels get Kernel::identity, for which they are decompressed once more.
  /// Null selects none.
  std::function<bool(const Image& image)> wants_identities;
  /// Null: each file has its own, of 1 GiB plus 200 times its size.
  std::shared_ptr<DecompressionLimit> decompression_limit;
};

/// Reads a file. Does not throw if the file is missing or damaged: `errors`, or the image's
/// `error`, reports what cannot be read. Uses several threads; several may call it at once.
File read(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads bytes in memory like a file; `name` becomes File::path.
File read_bytes(std::string_view bytes, std::string name, const ReadOptions& options = {});

/// Returns the decompressed content of an image of the file with these bytes; empty if it cannot be
/// read.
std::string content_of(std::string_view bytes, const Image& image);

/// Number of leading bytes that identify the format of a file.
constexpr std::size_t kFirstBytes = std::size_t{64} * 1024;

/// Reports whether a file with these first bytes has a format that may contain device code, so that
/// it is worth reading, and an error if it cannot be read. Names are ignored.
bool may_contain_device_code(std::string_view first_bytes);

/// Returns the size of the well-formed UTF-8 character at `at`, in bytes; 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t at);

/// Returns the text with `?` for what may harm a terminal or deceive a reader: control characters,
/// characters that change the direction of writing, and invalid UTF-8.
std::string printable(std::string text);

/// Returns at most `most` bytes of UTF-8, at least 3: the beginning, "..." and the end of a longer
/// text.
std::string shortened(std::string_view text, std::size_t most);

/// Returns a printable name such as "void tile<3>(float*, int)". A name is returned unchanged if it
/// is not mangled, or if it is longer than 4096 bytes or demangles to more than 128 KiB.
std::string demangle(const std::string& name);

/// Returns a mangled name without the parts that may differ between two builds of a kernel: nvcc's
/// hashes in names with internal linkage, and CCCL's namespaces of a version and archs.
std::string without_build(std::string_view mangled);

/// Returns a hash of a sequence of texts as 32 hexadecimal digits, equal on every system. Not
/// cryptographic.
std::string hash_of(const std::vector<std::string>& texts);

/// Returns "gemm.cu" for one of File::undefined_registrations, or the symbol itself if it names no
/// file.
std::string unit_of_registration(const std::string& symbol);

const char* name_of(Kind kind);
const char* name_of(Compression compression);

}  // namespace archgrid::fatbin

#endif
