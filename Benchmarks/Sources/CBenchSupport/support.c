#include "CBenchSupport.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

void amber_bench_release_free_pages(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}
