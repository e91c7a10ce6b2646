#ifndef CSUPPORT_REGION_H
#define CSUPPORT_REGION_H

#include <stdint.h>

/// Calls `body` with `context`. Its name is what `valgrind --toggle-collect` knows the measured region by, and it is
/// never inlined, so that the region begins and ends with it.
void cs_measured_region(void (*body)(void *), void *context);

/// Ends counting in the measured region, until the call of `cs_resume_measuring` that belongs to it. Pairs may be
/// nested. Outside the region, and without valgrind, they do nothing; on other processors than x86-64 and arm64
/// neither.
void cs_pause_measuring(void);
void cs_resume_measuring(void);

/// Allocations during the pauses of this thread's last region, if this executable counts allocations.
uint64_t cs_paused_allocation_count(void);
uint64_t cs_paused_allocated_bytes(void);

/// The time of the pauses of this thread's last region, nanoseconds.
uint64_t cs_paused_nanoseconds(void);

/// Makes callgrind count from here on, where it was started without: until then code runs ten times as fast.
void cs_start_counting(void);

#endif
