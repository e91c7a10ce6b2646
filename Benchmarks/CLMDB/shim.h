// The trait LMDB needs LMDB's header; "file not found" alone would not say where it comes from.
#if __has_include(<lmdb.h>)
#include <lmdb.h>
#else
#error "The trait LMDB needs lmdb.h: install liblmdb-dev (Debian, Ubuntu), lmdb-devel (Fedora) or lmdb (Homebrew)."
#endif
