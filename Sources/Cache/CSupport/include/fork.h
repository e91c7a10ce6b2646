#ifndef CSUPPORT_FORK_H
#define CSUPPORT_FORK_H

#include <stdint.h>

/// A number that differs between a process and the children it forked, at the cost of a load (`getpid` is a system
/// call). Sees `fork`; not `vfork` nor a bare `clone`, after which a program may only `exec` anyway.
uint32_t cs_fork_generation(void);

#endif
