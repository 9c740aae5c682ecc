#include "clock.h"

#include <sys/timex.h>

bool clinux_is_clock_synchronised(void) {
    struct timex clock = {.modes = 0};
    // We read the status and not the result, because the result is TIME_ERROR also for faults of a PPS source.
    return adjtimex(&clock) >= 0 && (clock.status & STA_UNSYNC) == 0;
}
