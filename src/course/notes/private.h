/* course/notes/private.h: what both sides of the socket share. */
#pragma once
#include <sys/un.h>

#include "course/notes/notes.h"

/* The address of a name; false with an error. */
bool notes_address(const char *name, struct sockaddr_un *out, struct diag *diag);
