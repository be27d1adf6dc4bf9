// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/verdict.hpp>
#include <array>
#include <iterator>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

namespace archgrid::coverage {

using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;

namespace {

constexpr std::array<const char*, 8> kNames = {"native",      "compatible",   "jit",     "unknown",
                                               "ptx-too-new", "wrong-suffix", "missing", "empty"};

// CUDA 13.0 renamed sm_101 to sm_110: one chip, so the suffix makes no difference. It is unknown
// whether code of one loads on the other.
bool renamed(int number, int device) {
  return (number == 101 && device == 110) || (number == 110 && device == 101);
}

// NVIDIA's own kernels of libcudadevrt, in every program that links it: only the library launches
// them. 22 is the length of their file's name, which excludes longer names with that ending.
bool belongs_to_runtime(std::string_view kernel) {
  return kernel.rfind("__nv_static_", 0) == 0 &&
         kernel.find("_22_cuda_device_runtime_cu_") != std::string_view::npos &&
         (kernel.find("__Z16memcpy_3d_device") != std::string_view::npos ||
          kernel.find("__Z16memset_3d_device") != std::string_view::npos);
}

bool is_readable(const Image& image) {
  return image.error.empty() && (image.kind == Kind::sass || image.kind == Kind::ptx);
}

}  // namespace

const char* name_of(Verdict verdict) {
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Verdict>(found - kNames.begin());
}

bool may_meet(const fatbin::File& file, const Architecture& gpu) {
  return gpu.host_cpu.empty() || file.host_cpu.empty() || gpu.host_cpu == file.host_cpu;
}

// The order of suffixes is not documented. Libraries ship an empty plain body beside a real `a` one
// in one container, and work.
std::tuple<int, int> nearness(fatbin::Arch arch) {
  const int rank = arch.suffix == 'a' ? 2 : arch.suffix == 'f' ? 1 : 0;
  return {arch.number, rank};
}

Loads sass_loads(fatbin::Arch arch, Device device) {
  const int wanted = device.number();
  if (arch.number == wanted) return Loads::yes;
  if (renamed(arch.number, wanted)) return Loads::unsure;
  if (arch.suffix == 'a' || arch.number > wanted) return Loads::no;
  if (arch.suffix == 'f') {
    return table().same_family(arch.number, wanted) ? Loads::yes : Loads::no;
  }
  if (arch.number / 10 != device.major) return Loads::no;
  const bool integrated = table().is_integrated(arch.number) || table().is_integrated(wanted);
  return integrated ? Loads::unsure : Loads::yes;
}

bool ptx_reaches(fatbin::Arch arch, Device device) {
  if (arch.suffix == 'a') return arch.number == device.number();
  if (arch.number > device.number()) return false;
  return arch.suffix != 'f' || table().same_family(arch.number, device.number());
}

namespace {

void keep_nearest(const Image*& kept, const Image& image) {
  if (kept == nullptr || nearness(kept->arch) < nearness(image.arch)) kept = &image;
}

// The driver loads the last of equally ranked PTX images, and the first of machine code: measured
// by bechirBOUALI/cuda-fatbin-precedence on one GPU.
void keep_nearest_or_last(const Image*& kept, const Image& image) {
  if (kept == nullptr || nearness(kept->arch) <= nearness(image.arch)) kept = &image;
}

bool is_sure_to_load(const Image& image, Device device) {
  return image.kind == Kind::sass && sass_loads(image.arch, device) == Loads::yes;
}

// Reports whether the image is LTO-IR that reaches the device, or of a kind that is not read.
bool is_opaque(const Image& image, Device device) {
  if (image.kind == Kind::sass || image.kind == Kind::ptx) return false;
  return image.kind != Kind::lto || ptx_reaches(image.arch, device);
}

/// Reports whether the device can compile the PTX, at least without its suffix.
bool may_reach(const Image& image, Device device) {
  return image.kind == Kind::ptx && ptx_reaches({image.arch.number, '\0'}, device);
}

/// The driver's input from one object of a device link: its machine code for the device, else PTX.
struct LinkInput {
  const Image* image = nullptr;
  const Image* opaque = nullptr;  ///< may serve if there is no such image
};

LinkInput choose_for_link(const std::vector<const Image*>& images, Device device) {
  const Image* sass = nullptr;
  const Image* ptx = nullptr;
  LinkInput chosen;
  for (const auto* image : images) {
    if (is_opaque(*image, device)) chosen.opaque = image;
    if (is_sure_to_load(*image, device)) keep_nearest(sass, *image);
    if (image->kind == Kind::ptx && ptx_reaches(image->arch, device)) {
      keep_nearest_or_last(ptx, *image);
    }
  }
  chosen.image = sass != nullptr ? sass : ptx;
  return chosen;
}

}  // namespace

bool needs_ptx(const std::vector<const Image*>& images, const std::vector<Device>& devices) {
  return std::any_of(devices.begin(), devices.end(), [&](Device device) {
    const auto loads = [&](const Image* image) { return is_sure_to_load(*image, device); };
    const auto reaches = [&](const Image* image) { return may_reach(*image, device); };
    return std::none_of(images.begin(), images.end(), loads) &&
           std::any_of(images.begin(), images.end(), reaches);
  });
}

/// The images of a module that may serve a device: the driver's choice of each kind.
struct Coverage::Candidates {
  const Image* sure = nullptr;      ///< machine code that loads
  const Image* unsure = nullptr;    ///< machine code that may load
  const Image* ptx = nullptr;       ///< PTX that reaches the device
  const Image* opaque = nullptr;    ///< LTO-IR and kinds that are not read
  const Image* suffixed = nullptr;  ///< would fit without its suffix
};

/// Candidates of every module for one device, on the assumption that they contain the kernel.
struct Coverage::OnDevice {
  std::once_flag once;
  std::vector<Candidates> candidates;  ///< by module
};

struct Coverage::Question {
  std::optional<std::size_t> kernel;  ///< number of the name; unset if no image contains it
  Device device;
  const Driver* driver;
};

/// Details of reasons, each shared by thousands of kernels.
struct Coverage::Details {
  using Key = std::tuple<const Image*, Why, std::string, std::string>;  ///< object, driver
  std::mutex mutex;
  std::map<Key, std::shared_ptr<const ReasonDetail>> known;
};

Reason Coverage::reason(Why why, const Image* image, const std::string& text,
                        const std::string& object, const Driver* driver) const {
  Reason reason;
  reason.why = why;
  if (image != nullptr) {
    reason.kind = image->kind == Kind::tile ? Kind::other : image->kind;  // reported alike
    reason.arch = image->arch;
  }
  if (text.empty() && object.empty()) return reason;
  const std::lock_guard lock(details_->mutex);
  auto& detail =
      details_->known[{image, why, object, driver == nullptr ? std::string() : driver->name}];
  if (detail == nullptr) {
    detail = std::make_shared<const ReasonDetail>(ReasonDetail{
        text, object, driver == nullptr ? std::nullopt : std::optional<Driver>(*driver)});
  }
  reason.detail = detail;
  return reason;
}

/// Judges PTX that reaches the device: `jit` if the driver is known to read its ISA.
Judgement Coverage::compile(const Question& question, const Image& ptx) const {
  if (const auto* driver = question.driver) {
    const auto isa = parse_version(ptx.ptx_isa);
    if (!isa) return {Verdict::unknown, reason(Why::ptx_without_isa, &ptx)};
    if (driver->ptx_isa < *isa) {
      const auto why = driver->beyond ? Why::ptx_beyond_table : Why::ptx_too_new;
      return {driver->beyond ? Verdict::unknown : Verdict::ptx_too_new,
              reason(why, &ptx, ptx.ptx_isa, "", driver)};
    }
  }
  return {Verdict::jit, reason(Why::ptx, &ptx)};
}

Coverage::Coverage(const fatbin::File& file, const Working* elsewhere)
    : file_(file),
      images_(file.modules.size()),
      parts_(file.modules.size()),
      is_part_(file.modules.size()),
      is_of_some_link_(file.modules.size()),
      on_device_(std::make_unique<OnDevice[]>(table().architectures.size())),
      details_(std::make_unique<Details>()) {
  for (const auto& image : file.images) images_.at(image.module).push_back(&image);
  number_kernels();
  find_undefined();
  if (elsewhere != nullptr) add(*elsewhere);
  find_parts();
  add_rows();
}

Coverage::~Coverage() = default;

void Coverage::add(const Working& elsewhere) {
  for (std::size_t number = 0; number < names_.size(); ++number) {
    const bool surely = elsewhere.surely.count(names_[number]) != 0;
    if (surely || elsewhere.maybe.count(names_[number]) != 0) working_[number] = true;
    if (surely) surely_working_[number] = true;
  }
}

// Host code may link images that it picks at run time. Registered images are never linked.
void Coverage::find_undefined() {
  std::set<std::string_view> defined;
  for (const auto& image : file_.images) {
    if (!file_.modules[image.module].registered) {
      defined.insert(image.defined.begin(), image.defined.end());
    }
  }
  for (const auto& image : file_.images) {
    const auto& module = file_.modules[image.module];
    if (module.relocatable) continue;
    for (const auto& name : image.undefined) {
      if (!module.registered && defined.count(name) != 0) continue;
      undefined_.emplace(&image, name);
      break;
    }
  }
}

std::string Coverage::undefined_in(std::size_t module) const {
  for (const auto* image : images_[module]) {
    const auto found = undefined_.find(image);
    if (found != undefined_.end()) return fatbin::demangle(std::string(found->second));
  }
  return {};
}

void Coverage::number_kernels() {
  const auto superseded = fatbin::superseded_ptx(file_.images);
  kernels_.reserve(file_.images.size());
  Kernels previous;
  for (const auto& image : file_.images) {
    auto kernels = number(image, previous);
    working_.resize(names_.size());
    surely_working_.resize(names_.size());
    for (const auto& [number, kernel] : kernels) {
      // An inert body writes to shared memory.
      const bool stores = kernel->stores && !fatbin::is_idle(kernel->body);
      if (!stores || superseded[index_of(image)]) continue;
      working_[number] = true;
      if (!kernel->may_store) surely_working_[number] = true;
    }
    previous = kernels;
    // If two bodies have one name, the first counts; if either stores, the kernel stores.
    std::stable_sort(kernels.begin(), kernels.end(), [](const auto& left, const auto& right) {
      return left.number < right.number;
    });
    const auto same = [](const auto& left, const auto& right) {
      return left.number == right.number;
    };
    kernels.erase(std::unique(kernels.begin(), kernels.end(), same), kernels.end());
    kernels_.push_back(std::move(kernels));
  }
}

/// Returns the kernels of an image, in its order. `previous` are those of the preceding image:
/// mostly equal, for another architecture.
Coverage::Kernels Coverage::number(const Image& image, const Kernels& previous) {
  Kernels kernels;
  kernels.reserve(image.kernels.size());
  for (const auto& kernel : image.kernels) {
    const auto place = kernels.size();
    if (place < previous.size() && previous[place].kernel->name == kernel.name) {
      kernels.push_back({previous[place].number, &kernel});
      continue;
    }
    const auto [known, is_new] = numbers_.emplace(kernel.name, names_.size());
    if (is_new) names_.emplace_back(kernel.name);
    kernels.push_back({known->second, &kernel});
  }
  return kernels;
}

std::optional<std::size_t> Coverage::number_of(const KernelRow& row) const {
  if (row.number) return row.number;
  const auto found = numbers_.find(row.name.str());
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::set<std::size_t> Coverage::numbers_in(std::size_t module) const {
  std::set<std::size_t> numbers;
  for (const auto* image : images_[module]) {
    for (const auto& kernel : kernels_[index_of(*image)]) numbers.insert(kernel.number);
  }
  return numbers;
}

// The objects of a link are not recorded. If a file has several links, an object belongs to those
// that contain a kernel of it, or to all if none does, as an object may lack kernels.
void Coverage::find_parts() {
  std::vector<std::size_t> links;
  for (const auto& module : file_.modules) {
    if (module.linked) links.push_back(module.index);
  }
  if (links.empty()) return;
  std::unordered_map<std::size_t, std::vector<std::size_t>> links_with;  // by kernel
  if (links.size() > 1) {
    for (const auto link : links) {
      for (const auto kernel : numbers_in(link)) links_with[kernel].push_back(link);
    }
  }
  for (const auto& module : file_.modules) {
    if (!module.relocatable) continue;
    is_part_[module.index] = true;
    std::set<std::size_t> owners;
    for (const auto kernel : numbers_in(module.index)) {
      const auto found = links_with.find(kernel);
      if (found != links_with.end()) owners.insert(found->second.begin(), found->second.end());
    }
    if (owners.empty()) {
      is_of_some_link_[module.index] = links.size() > 1;
      parts_of_all_.push_back(module.index);
    }
    for (const auto link : owners) parts_[link].push_back(module.index);
  }
}

bool Coverage::has_parts(std::size_t module) const {
  return !parts_[module].empty() || (file_.modules[module].linked && !parts_of_all_.empty());
}

/// Returns the known and possible objects of a linked module, ascending; nothing for other modules.
std::vector<std::size_t> Coverage::parts_of(std::size_t module) const {
  if (!file_.modules[module].linked) return {};
  const auto& own = parts_[module];
  std::vector<std::size_t> parts;
  parts.reserve(own.size() + parts_of_all_.size());
  std::merge(own.begin(), own.end(), parts_of_all_.begin(), parts_of_all_.end(),
             std::back_inserter(parts));
  return parts;
}

std::size_t Coverage::index_of(const Image& image) const {
  return static_cast<std::size_t>(&image - file_.images.data());
}

const Kernel* Coverage::find_kernel(const Image& image, std::optional<std::size_t> number) const {
  const auto& kernels = kernels_[index_of(image)];
  if (!number) return nullptr;
  const auto found = std::lower_bound(
      kernels.begin(), kernels.end(), *number,
      [](const Numbered& kernel, std::size_t wanted) { return kernel.number < wanted; });
  return found == kernels.end() || found->number != *number ? nullptr : found->kernel;
}

// A linked module is judged together with its objects, which are no modules of their own. Kernels
// of objects count only if nothing was linked for any architecture: the device linker drops kernels
// that the host never launches.
void Coverage::add_rows() {
  using ModulesOfKernels = std::vector<std::vector<std::size_t>>;  // by number
  ModulesOfKernels registered(names_.size());
  ModulesOfKernels picked(names_.size());
  const auto add = [this](auto& rows, const Images& images, std::size_t module) {
    for (const auto* image : images) {
      for (const auto& kernel : kernels_[index_of(*image)]) {
        auto& modules = rows[kernel.number];
        if (modules.empty() || modules.back() != module) modules.push_back(module);
      }
    }
  };
  for (const auto& module : file_.modules) {
    if (is_part_[module.index]) continue;
    const auto& images = images_[module.index];
    add(module.registered ? registered : picked, images, module.index);
    const bool named = std::any_of(images.begin(), images.end(),
                                   [](const Image* image) { return !image->kernels.empty(); });
    if (module.linked && !named) {
      for (const auto part : parts_of(module.index)) add(registered, images_[part], module.index);
    }
  }
  std::vector<std::size_t> sorted(names_.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(),
            [this](auto left, auto right) { return names_[left] < names_[right]; });
  const auto add_row = [this](std::size_t number, std::vector<std::size_t> modules, bool by_host) {
    const Text name{std::string(names_[number])};
    const auto programs = by_host ? count_programs(number, modules) : 1;
    rows_.push_back({name, DemangledName::of(name), std::move(modules), by_host, programs, number});
  };
  for (const auto number : sorted) {
    if (registered[number].empty()) continue;
    picked[number].clear();
    if (belongs_to_runtime(names_[number])) continue;
    add_row(number, std::move(registered[number]), false);
  }
  for (const auto number : sorted) {
    if (!picked[number].empty()) add_row(number, std::move(picked[number]), true);
  }
  for (const auto& module : file_.modules) {
    if (holds_nameless_only(module)) add_nameless(module);
  }
}

std::size_t Coverage::count_programs(std::size_t number,
                                     const std::vector<std::size_t>& modules) const {
  if (modules.size() < 2) return 1;
  // By arch and toolkit: one program compiled by several toolkits counts once.
  std::map<std::tuple<int, char, std::string_view>, std::map<std::uint64_t, std::size_t>> codes;
  std::size_t most = 1;
  for (const auto module : modules) {
    for (const auto* image : images_[module]) {
      const auto* kernel = find_kernel(*image, number);
      if (kernel == nullptr || !kernel->code_hash || image->debug) continue;
      auto& holders = codes[{image->arch.number, image->arch.suffix, image->toolkit}];
      holders.emplace(*kernel->code_hash, module);
      std::set<std::size_t> distinct;
      for (const auto& [hash, holder] : holders) distinct.insert(holder);
      most = std::max(most, distinct.size());
    }
  }
  return most;
}

bool Coverage::holds_nameless_only(const fatbin::Module& module) const {
  const auto& images = images_[module.index];
  const bool named = std::any_of(images.begin(), images.end(),
                                 [](const Image* image) { return !image->kernels.empty(); });
  const bool opaque = std::any_of(images.begin(), images.end(),
                                  [](const Image* image) { return !is_readable(*image); });
  return !is_part_[module.index] && !named && opaque;
}

void Coverage::add_nameless(const fatbin::Module& module) {
  const auto& images = images_[module.index];
  const auto opaque = std::find_if(images.begin(), images.end(),
                                   [](const Image* image) { return !is_readable(*image); });
  const auto* what = !(*opaque)->error.empty()       ? "unreadable"
                     : (*opaque)->kind == Kind::lto  ? "LTO-IR"
                     : (*opaque)->kind == Kind::tile ? "Tile IR"
                                                     : "unknown kind";
  rows_.push_back({"",
                   "module " + std::to_string(module.index) + " (" + what + ")",
                   {module.index},
                   !module.registered});
}

Judgement Coverage::judge(const KernelRow& row, Device device, const Driver* driver) const {
  return decide(row, device, driver).judgement;
}

Decision Coverage::decide(const KernelRow& row, Device device, const Driver* driver) const {
  return decide({number_of(row), device, driver}, row);
}

Verdict Coverage::verdict(const KernelRow& row, Device device, const Driver* driver) const {
  return decide(row, device, driver).judgement.verdict;
}

const std::string& Coverage::unit_of(const KernelRow& row, std::size_t module) const {
  for (const auto part : parts_of(module)) {
    if (holds(part, number_of(row))) return file_.modules[part].unit;
  }
  return file_.modules[module].unit;
}

bool Coverage::takes_machine_code(std::size_t module, Device device) const {
  const auto& images = images_[module];
  return std::any_of(images.begin(), images.end(),
                     [&](const Image* image) { return is_sure_to_load(*image, device); });
}

bool Coverage::is_named_by_host(const KernelRow& row) const {
  const auto number = number_of(row);
  return std::any_of(row.modules.begin(), row.modules.end(), [&](std::size_t module) {
    const auto& images = images_[module];
    return std::any_of(images.begin(), images.end(), [&](const Image* image) {
      const auto* kernel = find_kernel(*image, number);
      return kernel != nullptr && kernel->named_by_host;
    });
  });
}

const Kernel* Coverage::taken_kernel(const KernelRow& row, std::size_t module,
                                     Device device) const {
  const auto taken = gather(images_[module], device, [](const Image&) { return true; });
  return taken.sure == nullptr ? nullptr : find_kernel(*taken.sure, number_of(row));
}

bool Coverage::is_of_part_without_code(const KernelRow& row, std::size_t module,
                                       Device device) const {
  const auto parts = parts_of(module);
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [&](std::size_t each) { return holds(each, number_of(row)); });
  if (part == parts.end()) return false;
  const auto chosen = choose_for_link(images_[*part], device);
  return chosen.image == nullptr && chosen.opaque == nullptr;
}

// Each program needs a module of its own that serves the device. Which module contains which
// program is unknown if their archs differ, so for two programs the second best module counts.
Decision Coverage::decide_by_program(const Question& question, const KernelRow& row) const {
  std::vector<Decision> decisions;
  for (const auto module : row.modules) {
    decisions.push_back({module, judge_module(question, module)});
  }
  std::stable_sort(decisions.begin(), decisions.end(), [](const auto& left, const auto& right) {
    return left.judgement.verdict < right.judgement.verdict;
  });
  auto& result = decisions.at(row.programs - 1);
  result.judgement.reason.picked_from = static_cast<std::uint32_t>(row.modules.size());
  result.judgement.reason.programs = static_cast<std::uint32_t>(row.programs);
  return std::move(result);
}

Decision Coverage::decide(const Question& question, const KernelRow& row) const {
  if (row.programs > 1) return decide_by_program(question, row);
  Decision result;
  bool first = true;
  for (const auto module : row.modules) {
    auto judgement = judge_module(question, module);
    const bool better = judgement.verdict < result.judgement.verdict;
    const bool worse = result.judgement.verdict < judgement.verdict;
    if (first || (row.picked_by_host ? better : worse)) result = {module, std::move(judgement)};
    first = false;
  }
  if (row.picked_by_host && row.modules.size() > 1) {
    result.judgement.reason.picked_from = static_cast<std::uint32_t>(row.modules.size());
  }
  return result;
}

std::vector<const Image*> Coverage::taken_images(const KernelRow& row, Device device,
                                                 const Driver* driver) const {
  std::vector<const Image*> taken;
  const auto add = [&taken](const Image* image) {
    if (image != nullptr) taken.push_back(image);
  };
  auto modules = row.modules;
  if (row.picked_by_host) modules = {decide(row, device, driver).module};
  for (const auto module : modules) {
    const auto found = gather(images_[module], device, [](const Image&) { return true; });
    add(found.sure);
    if (found.sure != nullptr) continue;
    for (const auto* image : {found.ptx, found.unsure, found.opaque}) add(image);
    for (const auto part : parts_of(module)) {
      const auto chosen = choose_for_link(images_[part], device);
      add(chosen.image != nullptr ? chosen.image : chosen.opaque);
    }
  }
  return taken;
}

Judgement Coverage::judge_module(const Question& question, std::size_t module) const {
  auto judgement = judge_images(question, module);
  if (!has_parts(module)) return judgement;
  // The driver links again only if no linked machine code fits, even if that code lacks the kernel.
  if (takes_machine_code(module, question.device) || judgement.verdict == Verdict::empty)
    return judgement;
  auto relinked = judge_link(question, module);
  const bool better = judgement.verdict < relinked.verdict && relinked.verdict != Verdict::empty;
  return better ? judgement : relinked;
}

/// `has` reports whether an image contains the kernel, and is called only if that matters.
template <typename Has>
Coverage::Candidates Coverage::gather(const Images& images, Device device, const Has& has) {
  Candidates found;
  for (const auto* image : images) {
    const fatbin::Arch plain{image->arch.number, '\0'};
    const auto holds = [&] { return !image->error.empty() || has(*image); };
    if (image->kind == Kind::sass) {
      const auto loads = sass_loads(image->arch, device);
      if (loads == Loads::yes) keep_nearest(found.sure, *image);
      if (loads == Loads::unsure && holds()) keep_nearest(found.unsure, *image);
      const bool fits_plain = loads == Loads::no && sass_loads(plain, device) == Loads::yes;
      if (fits_plain && holds()) keep_nearest(found.suffixed, *image);
    } else if (image->kind == Kind::ptx) {
      if (ptx_reaches(image->arch, device)) {
        keep_nearest_or_last(found.ptx, *image);
      } else if (ptx_reaches(plain, device) && holds()) {
        keep_nearest(found.suffixed, *image);
      }
    } else if (is_opaque(*image, device)) {
      found.opaque = image;
    }
  }
  return found;
}

/// Returns null for a device that is not in the table.
const Coverage::Candidates* Coverage::known_candidates(Device device, std::size_t module) const {
  const auto& known = table().architectures;
  const auto row = std::find_if(known.begin(), known.end(), [&](const auto& architecture) {
    return architecture.device == device;
  });
  if (row == known.end()) return nullptr;
  auto& found = on_device_[static_cast<std::size_t>(row - known.begin())];
  std::call_once(found.once, [&] {
    found.candidates.reserve(images_.size());
    for (const auto& images : images_) {
      found.candidates.push_back(gather(images, device, [](const Image&) { return true; }));
    }
  });
  return &found.candidates[module];
}

Coverage::Candidates Coverage::candidates_of(const Question& question, std::size_t module) const {
  const auto* any = known_candidates(question.device, module);
  // Look for the kernel only in images that may load, and only if none is sure to load.
  const bool for_all = any != nullptr && (any->sure != nullptr ||
                                          (any->unsure == nullptr && any->suffixed == nullptr));
  if (for_all) return *any;
  return gather(images_[module], question.device,
                [&](const Image& image) { return find_kernel(image, question.kernel) != nullptr; });
}

Judgement Coverage::judge_images(const Question& question, std::size_t module) const {
  const auto candidates = candidates_of(question, module);
  if (const auto* sure = candidates.sure) {
    const bool exact = sure->arch.number == question.device.number();
    return judge_chosen(
        question, *sure,
        {exact ? Verdict::native : Verdict::compatible, reason(Why::machine_code, sure)});
  }
  auto best = candidates.ptx != nullptr
                  ? judge_chosen(question, *candidates.ptx, compile(question, *candidates.ptx))
                  : Judgement{Verdict::missing, reason(Why::no_image)};
  const auto offer = [&](Verdict verdict, Why why, const Image* image) {
    if (image != nullptr && verdict < best.verdict) best = {verdict, reason(why, image)};
  };
  offer(Verdict::unknown, Why::disagreement, candidates.unsure);
  offer(Verdict::unknown, Why::opaque, candidates.opaque);
  offer(Verdict::wrong_suffix, Why::suffix, candidates.suffixed);
  return best;
}

Judgement Coverage::judge_chosen(const Question& question, const Image& chosen,
                                 Judgement good) const {
  if (!chosen.error.empty()) {
    return {Verdict::unknown, reason(Why::unreadable, &chosen, chosen.error)};
  }
  const Kernel* kernel = find_kernel(chosen, question.kernel);
  if (kernel == nullptr) return judge_lacking(question, chosen);
  if (const auto undefined = undefined_.find(&chosen); undefined != undefined_.end()) {
    return {Verdict::unknown, reason(Why::undefined, &chosen, std::string(undefined->second))};
  }
  if (is_defect(*kernel, *question.kernel)) {
    auto idle = reason(Why::idle, &chosen);
    idle.body = kernel->body;
    return {Verdict::empty, std::move(idle)};
  }
  return good;
}

/// Reports whether a kernel's body does no work while another of its bodies does. A body whose only
/// effect is calls that cannot be followed may also just print or wait, like this one.
bool Coverage::is_defect(const Kernel& kernel, std::size_t number) const {
  if (!fatbin::is_idle(kernel.body)) return false;
  const bool doubtful = fatbin::reports(kernel.body) || kernel.body == fatbin::Body::inert;
  return doubtful ? surely_working_[number] : working_[number];
}

/// Judges a kernel that the chosen image lacks, but another image of the same arch may contain.
Judgement Coverage::judge_lacking(const Question& question, const Image& chosen) const {
  const auto& images = images_[chosen.module];
  const bool has_twin = std::any_of(images.begin(), images.end(), [&](const Image* image) {
    return image != &chosen && image->kind == chosen.kind && image->arch == chosen.arch &&
           find_kernel(*image, question.kernel) != nullptr;
  });
  if (has_twin) return {Verdict::unknown, reason(Why::twins, &chosen)};
  return {Verdict::missing, reason(Why::lacking, &chosen)};
}

// If no linked machine code fits, the driver compiles the PTX of every object (or uses its machine
// code for the device) and links again. One object with neither makes the load fail. Source: CUDA
// Compiler Driver NVCC, "JIT Linking Support".
Judgement Coverage::judge_link(const Question& question, std::size_t module) const {
  const auto parts = parts_of(module);
  const bool held = std::any_of(parts.begin(), parts.end(), [&](std::size_t part) {
    return holds(part, question.kernel) ||
           std::any_of(images_[part].begin(), images_[part].end(),
                       [&](const Image* image) { return is_opaque(*image, question.device); });
  });
  if (!held) return {Verdict::missing, reason(Why::no_object)};
  Judgement worst{Verdict::jit, reason(Why::relinked)};
  worst.reason.objects = static_cast<std::uint32_t>(parts.size());
  for (const auto part : parts) {
    auto judgement = relink(question, part);
    if (is_of_some_link_[part] && judgement.verdict != Verdict::jit) {
      judgement.verdict = Verdict::unknown;
      judgement.reason.is_of_one_link = true;
    }
    if (worst.verdict < judgement.verdict) worst = std::move(judgement);
  }
  return worst;
}

bool Coverage::holds(std::size_t module, std::optional<std::size_t> number) const {
  return std::any_of(images_[module].begin(), images_[module].end(),
                     [&](const Image* image) { return find_kernel(*image, number) != nullptr; });
}

std::string Coverage::object_name(std::size_t part) const {
  const auto& unit = file_.modules[part].unit;
  return unit.empty() ? "module " + std::to_string(part) : unit;
}

// Judges one object of a device link at load time: its machine code for the device, else its PTX.
// In the object with the kernel, that image must contain the kernel, with a body.
Judgement Coverage::relink(const Question& question, std::size_t part) const {
  const auto chosen = choose_for_link(images_[part], question.device);
  if (chosen.image == nullptr && chosen.opaque != nullptr) {
    auto opaque = reason(Why::object_opaque, chosen.opaque, "", object_name(part));
    opaque.arch = {};  // the link may use any arch of it
    return {Verdict::unknown, std::move(opaque)};
  }
  if (chosen.image == nullptr) {
    return {Verdict::missing, reason(Why::object_without_ptx, nullptr, "", object_name(part))};
  }
  if (!chosen.image->error.empty()) {
    return {Verdict::unknown,
            reason(Why::object_unreadable, chosen.image, chosen.image->error, object_name(part))};
  }
  auto good = chosen.image->kind == Kind::sass
                  ? Judgement{Verdict::jit, reason(Why::machine_code, chosen.image)}
                  : compile(question, *chosen.image);
  return holds(part, question.kernel) ? judge_chosen(question, *chosen.image, std::move(good))
                                      : good;
}

}  // namespace archgrid::coverage
