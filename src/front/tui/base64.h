/* front/tui/base64.h: bytes as letters, in which terminals take what is to be on their clipboard. Inside tui/ only. */
#pragma once
#include "base/buf.h"

void tui_base64(const char *bytes, size_t n, struct buf *out);
