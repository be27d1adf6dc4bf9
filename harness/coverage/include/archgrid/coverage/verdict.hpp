// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges what happens when a kernel is launched on a device.
#ifndef ARCHGRID_COVERAGE_VERDICT_HPP
#define ARCHGRID_COVERAGE_VERDICT_HPP

#include <archgrid/coverage/reason.hpp>
#include <archgrid/coverage/table.hpp>
#include <archgrid/coverage/text.hpp>
#include <archgrid/fatbin.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace archgrid::coverage {

/// Ordered, best first.
enum class Verdict : std::uint8_t {
  native,
  compatible,
  jit,
  unknown,
  ptx_too_new,
  wrong_suffix,
  missing,
  empty
};

/// Returns "native", "ptx-too-new", ...
const char* name_of(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view text);

struct Judgement {
  Verdict verdict = Verdict::missing;
  Reason reason;
};

/// One kernel of a file, in whichever modules it occurs.
struct KernelRow {
  Text name;                         ///< mangled; empty for a module with nameless kernels
  DemangledName demangled;           ///< "module 3 (LTO-IR)" for such a module
  std::vector<std::size_t> modules;  ///< indices of the modules that are judged
  bool picked_by_host = false;  ///< no module is registered: host code picks, so the best counts
  /// Number of distinct programs of that name from which host code picks, at least. Machine code of
  /// one toolkit for one arch that differs belongs to different programs. Each program counts.
  std::size_t programs = 1;
  std::optional<std::size_t> number = std::nullopt;  ///< number of the name in its Coverage
};

/// A verdict with its reason, and the module that decided it, which is the one to rebuild.
struct Decision {
  std::size_t module = 0;
  Judgement judgement;
};

/// The answer of sass_loads(), which reports whether machine code for `arch` loads on `device`.
/// `unsure`: sources disagree about code for a lower minor version if one of the two is integrated,
/// and about a renamed arch.
enum class Loads { no, unsure, yes };
Loads sass_loads(fatbin::Arch arch, Device device);

/// Reports whether host code of `file` can run beside a GPU of the table: an x86-64 program never
/// meets a GPU that exists only on Arm boards.
bool may_meet(const fatbin::File& file, const Architecture& gpu);

/// Returns the rank of an image: the driver picks the loadable image with the highest one. Code for
/// the device's own number ranks first, then the nearest lower number; for one number, `a` before
/// `f` before plain.
std::tuple<int, int> nearness(fatbin::Arch arch);

/// Reports whether PTX for `arch` can be compiled for `device`.
bool ptx_reaches(fatbin::Arch arch, Device device);

/// Reports whether the contents of PTX affect any of the devices, in a registered module with these
/// images. They do not if machine code is sure to load, even if that lacks the kernel.
bool needs_ptx(const std::vector<const fatbin::Image*>& images, const std::vector<Device>& devices);

/// Names of kernels that store to memory: `surely`, or `maybe` if some calls could not be followed.
struct Working {
  std::set<std::string, std::less<>> surely;
  std::set<std::string, std::less<>> maybe;
};

/// Returns these kernels of a file, which must have been read with Detail::everything.
Working working_in(const fatbin::File& file);

/// The verdicts on the kernels of one file.
class Coverage {
 public:
  /// Keeps a reference: `file` must outlive this object. `elsewhere`: kernels of builds of the file
  /// for other architectures, which count as bodies of this file's kernels.
  explicit Coverage(const fatbin::File& file, const Working* elsewhere = nullptr);
  ~Coverage();

  [[nodiscard]] const std::vector<KernelRow>& kernels() const { return rows_; }

  /// Judges a kernel. A null `driver` reads every PTX ISA.
  [[nodiscard]] Judgement judge(const KernelRow& row, Device device, const Driver* driver) const;

  /// Judges a kernel, and returns the module that decided.
  [[nodiscard]] Decision decide(const KernelRow& row, Device device, const Driver* driver) const;

  [[nodiscard]] Verdict verdict(const KernelRow& row, Device device, const Driver* driver) const;

  /// Returns the source file of a module, or of its relocatable object that contains the kernel;
  /// empty if the file does not record it.
  [[nodiscard]] const std::string& unit_of(const KernelRow& row, std::size_t module) const;

  /// Reports whether the device surely loads machine code of the module, even if it lacks the
  /// kernel.
  [[nodiscard]] bool takes_machine_code(std::size_t module, Device device) const;

  /// Reports whether host code contains the kernel's name as a string.
  [[nodiscard]] bool is_named_by_host(const KernelRow& row) const;

  /// Returns the kernel in the module's machine code that the device loads; null for none.
  [[nodiscard]] const fatbin::Kernel* taken_kernel(const KernelRow& row, std::size_t module,
                                                   Device device) const;

  /// Reports whether a linked module lacks the kernel's code for the device because the object with
  /// the kernel has none.
  [[nodiscard]] bool is_of_part_without_code(const KernelRow& row, std::size_t module,
                                             Device device) const;

  /// Returns a function or variable that an image of the module uses without a definition; empty if
  /// there is none.
  [[nodiscard]] std::string undefined_in(std::size_t module) const;

  /// Returns the images that `device` loads for the kernel: one per registered module with the
  /// kernel, or the one of the deciding module if host code picks. If no machine code is sure to
  /// load: all images that may serve, and each object's input to a link at load time.
  [[nodiscard]] std::vector<const fatbin::Image*> taken_images(const KernelRow& row, Device device,
                                                               const Driver* driver) const;

 private:
  struct Question;
  using Images = std::vector<const fatbin::Image*>;

  /// A kernel of an image, by number of its name: names are long, with common prefixes, and each is
  /// looked up in many images.
  struct Numbered {
    std::size_t number = 0;
    const fatbin::Kernel* kernel = nullptr;
  };
  using Kernels = std::vector<Numbered>;  ///< ascending, unique

  struct Candidates;
  struct OnDevice;
  struct Details;

  void number_kernels();
  void find_undefined();
  void add(const Working& elsewhere);
  [[nodiscard]] Kernels number(const fatbin::Image& image, const Kernels& previous);
  [[nodiscard]] std::optional<std::size_t> number_of(const KernelRow& row) const;
  void find_parts();
  [[nodiscard]] bool has_parts(std::size_t module) const;
  [[nodiscard]] std::vector<std::size_t> parts_of(std::size_t module) const;
  [[nodiscard]] std::set<std::size_t> numbers_in(std::size_t module) const;
  void add_rows();
  void add_nameless(const fatbin::Module& module);
  [[nodiscard]] std::size_t index_of(const fatbin::Image& image) const;
  [[nodiscard]] const fatbin::Kernel* find_kernel(const fatbin::Image& image,
                                                  std::optional<std::size_t> number) const;
  template <typename Has>
  static Candidates gather(const Images& images, Device device, const Has& has);
  [[nodiscard]] Candidates candidates_of(const Question& question, std::size_t module) const;
  [[nodiscard]] const Candidates* known_candidates(Device device, std::size_t module) const;
  [[nodiscard]] bool holds_nameless_only(const fatbin::Module& module) const;
  [[nodiscard]] Judgement judge_module(const Question& question, std::size_t module) const;
  [[nodiscard]] Judgement judge_images(const Question& question, std::size_t module) const;
  [[nodiscard]] Judgement judge_link(const Question& question, std::size_t module) const;
  [[nodiscard]] Judgement relink(const Question& question, std::size_t part) const;
  [[nodiscard]] bool holds(std::size_t module, std::optional<std::size_t> number) const;
  [[nodiscard]] Judgement judge_chosen(const Question& question, const fatbin::Image& chosen,
                                       Judgement good) const;
  [[nodiscard]] bool is_defect(const fatbin::Kernel& kernel, std::size_t number) const;
  [[nodiscard]] Judgement judge_lacking(const Question& question,
                                        const fatbin::Image& chosen) const;
  [[nodiscard]] std::size_t count_programs(std::size_t number,
                                           const std::vector<std::size_t>& modules) const;
  [[nodiscard]] Decision decide(const Question& question, const KernelRow& row) const;
  [[nodiscard]] Decision decide_by_program(const Question& question, const KernelRow& row) const;
  [[nodiscard]] std::string object_name(std::size_t part) const;
  [[nodiscard]] Judgement compile(const Question& question, const fatbin::Image& ptx) const;
  [[nodiscard]] Reason reason(Why why, const fatbin::Image* image = nullptr,
                              const std::string& text = {}, const std::string& object = {},
                              const Driver* driver = nullptr) const;

  const fatbin::File& file_;
  std::vector<Images> images_;                                 ///< by module
  std::vector<std::string_view> names_;                        ///< by number
  std::unordered_map<std::string_view, std::size_t> numbers_;  ///< by name
  std::vector<Kernels> kernels_;                               ///< by image
  std::vector<std::vector<std::size_t>> parts_;  ///< by module: objects of a linked module
  std::vector<std::size_t> parts_of_all_;        ///< possible objects of every linked module
  std::vector<bool> is_part_;                    ///< by module
  std::vector<bool> is_of_some_link_;            ///< by module: an object of an unknown link
  std::vector<bool> working_;  ///< by number: some body of the kernel stores to memory, or may
  std::vector<bool> surely_working_;  ///< by number: some body of the kernel stores to memory
  std::map<const fatbin::Image*, std::string_view> undefined_;  ///< first undefined name
  std::vector<KernelRow> rows_;
  /// By place in the table of architectures; computed at the first question about the device.
  std::unique_ptr<OnDevice[]> on_device_;
  std::unique_ptr<Details> details_;
};

}  // namespace archgrid::coverage

#endif
