// Single samples of a machine's rates. Each is what the machine did at that moment; a ceiling is the best of many.
#pragma once

#include "device/device.h"
#include "lab/loops.h"

namespace ridge {

// Memory for loops to walk over: every page is backed (untouched pages all read the same page of zeros).
Tensor make_loop_memory(Device& device, std::size_t bytes);

// Bytes per second of cyclic reads over the first `footprint_bytes` of `data`, each thread reading its own part, after
// one pass that fills the caches: the best of this CPU's read loops, each for about `seconds`.
double sample_read_rate(ThreadPool& pool, const Tensor& memory, double footprint_bytes, double seconds);

// The same for copies of the footprint's first half to its second; counts bytes read and bytes written.
double sample_copy_rate(ThreadPool& pool, const Tensor& memory, double footprint_bytes, double seconds);

// Operations per second of all threads together, in about `seconds`.
double sample_peak(ThreadPool& pool, PeakLoop loop, double seconds);

// Seconds of one parallel_for in which every thread takes part.
double sample_fork_join(ThreadPool& pool);

// The smallest footprint that every one of `threads` can have a part of.
double smallest_footprint(int threads);

}  // namespace ridge
