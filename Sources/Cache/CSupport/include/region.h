#ifndef CSUPPORT_REGION_H
#define CSUPPORT_REGION_H

/// Calls `body` with `context`. Its name is what `valgrind --toggle-collect` knows the measured region by, and it is never
/// inlined, so that the region begins and ends with it.
void cs_measured_region(void (*body)(void *), void *context);

#endif
