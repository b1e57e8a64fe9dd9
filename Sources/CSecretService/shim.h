#pragma once

// The Secret Service client library, and the GIO it brings: D-Bus calls with deadlines of our own.
#include <gio/gio.h>
#include <libsecret/secret.h>
