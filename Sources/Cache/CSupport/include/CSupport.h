// The little C there is. Each header is one idea.
#ifndef CSUPPORT_H
#define CSUPPORT_H

#include "barrier.h"
#include "block.h"
#include "checksum.h"
#include "counters.h"
#include "curl_message.h"
#include "fork.h"
#include "guarded.h"
#include "pointer.h"
#include "prefetch.h"
#include "processors.h"
#include "heap.h"
#include "region.h"
#include "sockets.h"
#include "thread.h"
#include "variadic.h"
#include "zlib_stream.h"

#endif
