// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer of locks that it can't see.
//
// A `Mutex` that is free is taken, and one that nobody waits for is let go, by an atomic operation that is inlined into
// the code under test, and seen. Else both happen inside Swift's own library, which is not built with the sanitizer: to
// it, whoever waited reads what another thread has written without having synchronized with it. So the library's slow
// paths are replaced by these, which call them and say what they do. Loaded before the library, by LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Of the sanitizer's runtime; missing in processes that are not built with it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Synchronization._MutexHandle: _lockSlow(UInt32), _tryLockSlow() -> Bool and _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void annotated_lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool annotated_try_lock(SELF mutex) __asm__(TRY_LOCK);
SWIFT void annotated_unlock(SELF mutex) __asm__(UNLOCK);

// The library's own, found anew each time: these are slow paths.
static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void annotated_lock(uint32_t thread, SELF mutex) {
    ((SWIFT void (*)(uint32_t, SELF))real(LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool annotated_try_lock(SELF mutex) {
    bool is_locked = ((SWIFT bool (*)(SELF))real(TRY_LOCK))(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void annotated_unlock(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((SWIFT void (*)(SELF))real(UNLOCK))(mutex);
}
