// Intentionally empty: the target works by being linked.
