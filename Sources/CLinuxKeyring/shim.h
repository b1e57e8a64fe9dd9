// SPDX-License-Identifier: Apache-2.0

// The kernel's keyring of the user (keyrings(7)), without libkeyutils. Swift can't call the variadic `syscall`.
// Each function returns -1 and sets `errno` if the kernel refuses, as the seccomp profiles of containers do.

#ifndef SALLYPORT_LINUX_KEYRING_H
#define SALLYPORT_LINUX_KEYRING_H

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// From <linux/keyctl.h>, which not every C library has.
#define SALLYPORT_USER_KEYRING (-4L)
#define SALLYPORT_KEYCTL_SETPERM 5L
#define SALLYPORT_KEYCTL_UNLINK 9L
#define SALLYPORT_KEYCTL_SEARCH 10L
#define SALLYPORT_KEYCTL_READ 11L
#define SALLYPORT_KEYCTL_SET_TIMEOUT 15L

// Adds a key of the type "user" to the user's keyring, or replaces its payload. Returns the key's number.
static inline long sallyport_key_add(const char *name, const void *payload, size_t size) {
    return syscall(SYS_add_key, "user", name, payload, size, SALLYPORT_USER_KEYRING);
}

// Returns the number of the key of that name in the user's keyring.
static inline long sallyport_key_search(const char *name) {
    return syscall(SYS_keyctl, SALLYPORT_KEYCTL_SEARCH, SALLYPORT_USER_KEYRING, "user", name, 0L);
}

// Copies the payload. Returns its whole size, which may be larger than the buffer.
static inline long sallyport_key_read(long key, void *buffer, size_t size) {
    return syscall(SYS_keyctl, SALLYPORT_KEYCTL_READ, key, buffer, size, 0L);
}

// Lets the kernel delete the key after that many seconds.
static inline long sallyport_key_set_timeout(long key, unsigned long seconds) {
    return syscall(SYS_keyctl, SALLYPORT_KEYCTL_SET_TIMEOUT, key, seconds, 0L, 0L);
}

static inline long sallyport_key_set_permissions(long key, unsigned long permissions) {
    return syscall(SYS_keyctl, SALLYPORT_KEYCTL_SETPERM, key, permissions, 0L, 0L);
}

// Removes the key from the user's keyring.
static inline long sallyport_key_unlink(long key) {
    return syscall(SYS_keyctl, SALLYPORT_KEYCTL_UNLINK, key, SALLYPORT_USER_KEYRING, 0L, 0L);
}

#endif
