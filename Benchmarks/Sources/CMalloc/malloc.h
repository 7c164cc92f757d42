#include <stddef.h>
#include <sys/resource.h>
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
// What the thread used; where there is no way to tell, what the process used.
static inline void used_by_thread(struct rusage *use) {
#ifdef __linux__
  getrusage(1, use);  // RUSAGE_THREAD, which only GNU's names have
#else
  getrusage(RUSAGE_SELF, use);
#endif
}
