// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CUDA_STREAM_HPP
#define ARCHGRID_CUDA_STREAM_HPP

#include <cuda_runtime_api.h>

namespace archgrid {

/// A stream that does not synchronize with the default stream. It is destroyed at the end of its
/// scope, when its work may still run. Every failure throws CudaError.
class Stream {
 public:
  /// A lower number is a higher priority; a priority that the GPU does not have becomes the nearest
  /// one.
  explicit Stream(int priority = 0);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits for the stream's work.
  void synchronize() const;

 private:
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream's work, with its time. Every failure throws CudaError.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const { return event_; }
  void record(const Stream& stream);
  /// Waits until the stream has reached the event.
  void synchronize() const;
  /// Waits for the event and returns the time since `begin`, in steps of about half a microsecond.
  double seconds_since(const Event& begin) const;

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace archgrid

#endif
