/* base/clock.h: time that only goes forward. */
#pragma once

/* Milliseconds since some moment; for differences and deadlines. */
double clock_ms(void);

/* The same of the processor's time that this thread has used. */
double clock_thread_ms(void);
