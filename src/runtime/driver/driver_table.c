/* Where the functions of drivers.def are. */
#include "runtime/driver/driver.h"

/* Their arguments are the caller's business: here they are but addresses. */
#define GROUP(title)
#define KNOWN_DONE(by) void by(void);
#define KNOWN_CHECKED(by) void by(void);
#define KNOWN_REFUSED(by)
#define DRIVER(name, suffix, since, variant, needs, state, by, note) KNOWN_##state(by)
#include "runtime/driver/drivers.def"
#undef DRIVER

#define AT_DONE(by) by
#define AT_CHECKED(by) by
#define AT_REFUSED(by) NULL
void (*const runtime_driver_functions[])(void) = {
#define DRIVER(name, suffix, since, variant, needs, state, by, note) AT_##state(by),
#include "runtime/driver/drivers.def"
#undef DRIVER
};
