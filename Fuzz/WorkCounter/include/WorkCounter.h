#ifndef WORK_COUNTER_H
#define WORK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts: one that Fuzz/fuzz has made.
bool work_is_counted(void);

/// Comparisons that instrumented code has made since the process began; 0 where nothing counts.
uint64_t work_comparisons(void);

#endif
