// The trait SQLite needs SQLite's header; "file not found" alone would not say where it comes from.
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "The trait SQLite needs sqlite3.h: install libsqlite3-dev (Debian, Ubuntu), sqlite-devel (Fedora) or sqlite (Homebrew)."
#endif
