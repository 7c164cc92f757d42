#include <stddef.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
static inline size_t allocated_bytes(void) {
  struct malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#else
#include_next <malloc.h>
static inline size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#endif
