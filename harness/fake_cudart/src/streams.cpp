// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The API functions for streams and events. Work takes the time that ARCHGRID_FAKE_LATENCY sets,
// otherwise none. The time of an event is the time at which its stream is done.
#include "streams.hpp"

#include <algorithm>
#include <optional>

namespace archgrid::fake_cudart {
namespace {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  Clock::time_point done;
};

struct Event {
  unsigned flags = 0;
  std::optional<Clock::time_point> time;  ///< time at which it was, or will be, reached
};

struct Streams {
  Stream legacy;  ///< default stream, also that of cudaStreamPerThread
  std::list<Stream> streams;
  std::list<Event> events;
};

Streams& state() {
  static auto* instance = new Streams;
  return *instance;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

Stream* find(cudaStream_t handle) {
  if (is_default(handle)) return &state().legacy;
  for (auto& stream : state().streams) {
    if (reinterpret_cast<cudaStream_t>(&stream) == handle) return &stream;
  }
  return nullptr;
}

Event* find(cudaEvent_t handle) {
  for (auto& event : state().events) {
    if (reinterpret_cast<cudaEvent_t>(&event) == handle) return &event;
  }
  return nullptr;
}

bool blocks(const Stream& stream) {
  return (stream.flags & cudaStreamNonBlocking) == 0;
}

/// Returns the time at which new work in the stream would begin.
Clock::time_point beginning(const Stream& stream) {
  auto time = std::max(Clock::now(), stream.done);
  if (&stream == &state().legacy) {
    for (const auto& other : state().streams) {
      if (blocks(other)) time = std::max(time, other.done);
    }
  } else if (blocks(stream)) {
    time = std::max(time, state().legacy.done);
  }
  return time;
}

template <typename Body>
cudaError_t answer_for(const char* name, cudaStream_t handle, Body body) {
  return answer(name, Needs::context, [&] {
    auto* stream = find(handle);
    return stream == nullptr ? cudaErrorInvalidResourceHandle : body(*stream);
  });
}

template <typename Body>
cudaError_t answer_for(const char* name, cudaEvent_t handle, Body body) {
  return answer(name, Needs::context, [&] {
    auto* event = find(handle);
    return event == nullptr ? cudaErrorInvalidResourceHandle : body(*event);
  });
}

cudaError_t create(cudaStream_t* handle, unsigned flags, int priority) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  Stream stream;
  stream.flags = flags;
  stream.priority = priority;
  stream.device = current_device();
  state().streams.push_back(stream);
  *handle = reinterpret_cast<cudaStream_t>(&state().streams.back());
  return cudaSuccess;
}

cudaError_t create(cudaEvent_t* handle, unsigned flags) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  Event event;
  event.flags = flags;
  state().events.push_back(event);
  *handle = reinterpret_cast<cudaEvent_t>(&state().events.back());
  return cudaSuccess;
}

bool is_timed(const Event* event) {
  return event != nullptr && event->time && (event->flags & cudaEventDisableTiming) == 0;
}

cudaError_t record_event(Event& event, cudaStream_t handle) {
  const auto* stream = find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  event.time = beginning(*stream);
  return cudaSuccess;
}

}  // namespace

bool is_stream(cudaStream_t stream) {
  return find(stream) != nullptr;
}

void add_work(cudaStream_t handle, std::chrono::nanoseconds time) {
  auto& stream = *find(handle);
  stream.done = beginning(stream) + time;
}

cudaError_t wait_for(cudaStream_t handle) {
  return_at(beginning(*find(handle)));
  return finish_kernels();
}

cudaError_t wait_for_all() {
  auto time = state().legacy.done;
  for (const auto& stream : state().streams) time = std::max(time, stream.done);
  return_at(time);
  return finish_kernels();
}

}  // namespace archgrid::fake_cudart

using namespace archgrid::fake_cudart;

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  return answer("cudaDeviceSynchronize", Needs::context, wait_for_all);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return answer("cudaStreamCreate", Needs::context, [&] { return create(stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return answer("cudaStreamCreateWithFlags", Needs::context,
                [&] { return create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return answer("cudaStreamCreateWithPriority", Needs::context,
                [&] { return create(stream, flags, priority); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answer("cudaDeviceGetStreamPriorityRange", Needs::context, [&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return answer_for("cudaStreamDestroy", handle, [&](Stream& stream) {
    if (is_default(handle)) return cudaErrorInvalidResourceHandle;
    // The machine still waits for the stream's remaining work.
    state().legacy.done = std::max(state().legacy.done, stream.done);
    state().streams.remove_if([&](const Stream& other) { return &other == &stream; });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return answer_for("cudaStreamSynchronize", handle, [&](Stream&) { return wait_for(handle); });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return answer_for("cudaStreamQuery", handle, [](Stream& stream) {
    return Clock::now() < stream.done ? cudaErrorNotReady : finish_kernels();
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return answer_for("cudaStreamGetFlags", handle, [&](Stream& stream) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = stream.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return answer_for("cudaStreamGetPriority", handle, [&](Stream& stream) {
    if (priority == nullptr) return cudaErrorInvalidValue;
    *priority = stream.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return answer_for("cudaStreamIsCapturing", handle, [&](Stream&) {
    if (status == nullptr) return cudaErrorInvalidValue;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  return answer_for("cudaStreamWaitEvent", handle, [&](Stream& stream) {
    const auto* awaited = find(event);
    if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
    if (awaited->time) stream.done = std::max(stream.done, *awaited->time);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return answer("cudaEventCreate", Needs::context, [&] { return create(event, 0); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return answer("cudaEventCreateWithFlags", Needs::context, [&] { return create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return answer_for("cudaEventDestroy", handle, [](Event& event) {
    state().events.remove_if([&](const Event& other) { return &other == &event; });
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return answer_for("cudaEventRecord", handle,
                    [&](Event& event) { return record_event(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned) {
  return answer_for("cudaEventRecordWithFlags", handle,
                    [&](Event& event) { return record_event(event, stream); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return answer_for("cudaEventSynchronize", handle, [](Event& event) {
    if (event.time) return_at(*event.time);
    return finish_kernels();
  });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return answer_for("cudaEventQuery", handle, [](Event& event) {
    const bool runs = event.time && Clock::now() < *event.time;
    return runs ? cudaErrorNotReady : finish_kernels();
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return answer("cudaEventElapsedTime", Needs::context, [&] {
    const auto* first = find(begin);
    const auto* last = find(end);
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (!is_timed(first) || !is_timed(last)) return cudaErrorInvalidResourceHandle;
    const auto now = Clock::now();
    if (now < *first->time || now < *last->time) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*last->time - *first->time).count();
    return cudaSuccess;
  });
}

}  // extern "C"
