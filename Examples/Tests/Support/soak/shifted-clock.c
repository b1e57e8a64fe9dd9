// SPDX-License-Identifier: Apache-2.0

// A wall clock that is wrong: preloaded into a program, it adds the seconds in the file $SHIFTED_CLOCK to the time.
//
// The file holds one 64-bit integer and stays mapped, so that a writer can make the clock of a running program jump.
// The monotonic clocks stay right, as they do if a user sets the system's clock.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *ahead;

__attribute__((constructor)) static void open_clock(void) {
    const char *path = getenv("SHIFTED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    // A run with the right clock would pass for a test of the wrong one.
    if (page == MAP_FAILED) _exit(120);
    close(file);
    ahead = page;
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
    int result = (int)syscall(SYS_clock_gettime, clock, moment);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) && ahead) moment->tv_sec += *ahead;
    return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (result == 0) *moment = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return result;
}

time_t time(time_t *moment) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
    if (moment) *moment = now.tv_sec;
    return now.tv_sec;
}
