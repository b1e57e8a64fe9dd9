#pragma once

// The Secret Service client library, and the GIO it brings: D-Bus calls with deadlines of our own.
#include <gio/gio.h>
#include <libsecret/secret.h>
#include <string.h>

// Overwrites memory in a way that no optimiser may leave out. GLib has no such function, and libsecret's stops at NUL.
static inline void sallyport_wipe(void *bytes, size_t count) {
    explicit_bzero(bytes, count);
}
