// AllocationCounting: counts malloc calls in the executable that links it.
