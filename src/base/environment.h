/* base/environment.h: variables of the environment that set a limit or a right. What is set and cannot be understood is an error that
 * names the variable; the value is then as if it was not set. An empty one is not set. */
#pragma once
#include <stdbool.h>

#include "base/diag.h"

/* A whole number of seconds; `usual` when it is not set. `diag` may be NULL. */
#define ENVIRONMENT_SECONDS_MAX 86400
int environment_seconds(const char *variable, int usual, struct diag *diag);

/* Folders from the root, with colons between; false with an error when one is relative. */
bool environment_check_folders(const char *variable, struct diag *diag);

/* One folder from the root; NULL when it is not set. */
const char *environment_folder(const char *variable, struct diag *diag);

/* One of two words. */
bool environment_is_no(const char *variable, struct diag *diag);
