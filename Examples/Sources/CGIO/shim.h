// SPDX-License-Identifier: Apache-2.0

#pragma once

// The doctor's questions about a keyring, by GIO: no secret is read, nothing is unlocked and no prompt is shown.
#include <gio/gio.h>

#define DOCTOR_SECRETS "org.freedesktop.secrets"
#define DOCTOR_TIMEOUT 2000

static inline gpointer doctor_end_later(gpointer cancellable) {
    g_usleep(DOCTOR_TIMEOUT * 1000);
    g_cancellable_cancel((GCancellable *)cancellable);
    g_object_unref(cancellable);
    return NULL;
}

// Connects to a bus; NULL if it can't be reached. GIO has no time limit for a socket that accepts and stays silent.
static inline GDBusConnection *doctor_connect(const char *address) {
    GCancellable *cancellable = g_cancellable_new();
    g_thread_unref(g_thread_new("doctor", doctor_end_later, g_object_ref(cancellable)));
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
        address,
        (GDBusConnectionFlags)(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
        NULL, cancellable, NULL);
    g_object_unref(cancellable);
    if (bus) g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

// The first member of the reply to a call; NULL if it fails.
static inline GVariant *doctor_ask(
    GDBusConnection *bus, const char *name, const char *path, const char *interface, const char *method,
    GVariant *arguments, const char *type, GError **error
) {
    GVariant *reply = g_dbus_connection_call_sync(
        bus, name, path, interface, method, arguments, G_VARIANT_TYPE(type), G_DBUS_CALL_FLAGS_NO_AUTO_START,
        DOCTOR_TIMEOUT, NULL, error);
    if (!reply) return NULL;
    GVariant *first = g_variant_get_child_value(reply, 0);
    g_variant_unref(reply);
    return first;
}

// The process that runs the keyring service; 0 if unknown. Only the bus is asked, so a service that hangs is named too.
static inline guint32 doctor_keyring_process(GDBusConnection *bus) {
    GVariant *process = doctor_ask(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        g_variant_new("(s)", DOCTOR_SECRETS), "(u)", NULL);
    if (!process) return 0;
    guint32 number = g_variant_get_uint32(process);
    g_variant_unref(process);
    return number;
}

// The object path of the keyring that new items go to, to be freed; NULL if there is none or it is unknown.
static inline char *doctor_default_keyring(GDBusConnection *bus) {
    GVariant *path = doctor_ask(
        bus, DOCTOR_SECRETS, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "ReadAlias",
        g_variant_new("(s)", "default"), "(o)", NULL);
    if (!path) return NULL;
    char *text = g_variant_dup_string(path, NULL);
    g_variant_unref(path);
    if (!g_str_equal(text, "/")) return text;
    g_free(text);
    return NULL;
}

// The keyring's label, to be freed; NULL if it has none.
static inline char *doctor_keyring_label(GDBusConnection *bus, const char *path) {
    GVariant *boxed = doctor_ask(
        bus, DOCTOR_SECRETS, path, "org.freedesktop.DBus.Properties", "Get",
        g_variant_new("(ss)", "org.freedesktop.Secret.Collection", "Label"), "(v)", NULL);
    if (!boxed) return NULL;
    GVariant *value = g_variant_get_variant(boxed);
    char *text = g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string(value, NULL) : NULL;
    g_variant_unref(value);
    g_variant_unref(boxed);
    return text;
}

// Whether the keyring encrypts secrets on the bus: 0 only if it says that it does not support that, -1 if unknown.
static inline int doctor_keyring_encrypts(GDBusConnection *bus) {
    // The public key of a Diffie-Hellman exchange, which is not continued: smaller than the group's prime, of 1024 bits.
    guint8 key[128] = {0};
    for (gsize i = 1; i < sizeof key; i++) key[i] = (guint8)g_random_int();
    GVariant *bytes = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, key, sizeof key, 1);
    GError *error = NULL;
    GVariant *output = doctor_ask(
        bus, DOCTOR_SECRETS, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "OpenSession",
        g_variant_new("(sv)", "dh-ietf1024-sha256-aes128-cbc-pkcs7", bytes), "(vo)", &error);
    if (output) {
        g_variant_unref(output);
        return 1;
    }
    gboolean is_unsupported = g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NOT_SUPPORTED);
    g_clear_error(&error);
    return is_unsupported ? 0 : -1;
}
