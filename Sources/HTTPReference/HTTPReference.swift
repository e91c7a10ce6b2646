// HTTPReference: a second, slow reading of the RFC.
