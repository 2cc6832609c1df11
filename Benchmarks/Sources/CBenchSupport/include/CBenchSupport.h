// Room:   CBenchSupport. What the Swift overlay of the C library leaves out.
// Takes:  nothing. Gives: free heap pages back to the system. Touches: the allocator.

#ifndef AMBER_BENCH_SUPPORT_H
#define AMBER_BENCH_SUPPORT_H

/// Returns the heap's free pages to the system where the allocator can do that, so that the next
/// measurement of memory does not find them already counted.
void amber_bench_release_free_pages(void);

#endif
