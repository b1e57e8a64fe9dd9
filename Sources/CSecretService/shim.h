// SPDX-License-Identifier: Apache-2.0

#pragma once

// The Secret Service client library, and the GIO it brings: D-Bus calls with deadlines of our own. The functions that
// encode and decode a secret for calls of our own are behind this macro, unchanged since 2012.
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <gio/gio.h>
#include <glib-unix.h>
#include <libsecret/secret.h>

// Creates a list that owns the descriptors. GIO has it, and its header in a folder that libsecret does not name.
GUnixFDList *g_unix_fd_list_new_from_array(const gint *descriptors, gint count);

// Creates an object as GDBusProxy does.
static inline GObject *sallyport_construct_proxy(GType type, guint count, GObjectConstructParam *properties) {
    return G_OBJECT_CLASS(g_type_class_peek(G_TYPE_DBUS_PROXY))->constructor(type, count, properties);
}

static inline void sallyport_init_service_class(gpointer service_class, gpointer data) {
    G_OBJECT_CLASS(service_class)->constructor = sallyport_construct_proxy;
}

// Returns the user at the other end of a connection's socket; -1 if the system does not tell.
static inline gint64 sallyport_peer_user(GDBusConnection *connection) {
    GIOStream *stream = g_dbus_connection_get_stream(connection);
    if (!G_IS_SOCKET_CONNECTION(stream)) return -1;
    GSocket *socket = g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream));
    GCredentials *credentials = g_socket_get_credentials(socket, NULL);
    if (credentials == NULL) return -1;
    uid_t user = g_credentials_get_unix_user(credentials, NULL);
    g_object_unref(credentials);
    return user == (uid_t) -1 ? -1 : (gint64) user;
}

// Registers a SecretService that uses the connection it is given. libsecret's own constructor moves every SecretService to
// GIO's shared connection, whose loss ends the process, and aborts if there is another one. Call it once.
static inline GType sallyport_register_service(void) {
    GTypeInfo info = {sizeof(SecretServiceClass)};
    info.class_init = sallyport_init_service_class;
    info.instance_size = sizeof(SecretService);
    return g_type_register_static(SECRET_TYPE_SERVICE, "SallyportSecretService", &info, 0);
}

// Creates such a service without a session. It waits for no reply. GIO follows the signal NameOwnerChanged for it, in the
// thread's default context.
static inline SecretService *sallyport_new_service(
    GType type, GDBusConnection *connection, const char *owner, const char *path, GError **error
) {
    return SECRET_SERVICE(g_initable_new(
        type, NULL, error,
        "g-connection", connection,
        "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS,
        "g-name", owner,
        "g-object-path", path,
        "g-interface-name", "org.freedesktop.Secret.Service",
        NULL
    ));
}
