/* base/clock.h: time that only goes forward. */
#pragma once

/* Milliseconds since some moment; for differences and deadlines. */
double clock_ms(void);
