// SPDX-License-Identifier: Apache-2.0

#pragma once

// What Swift can't import of GTK 4 and libadwaita: macros, functions with variable arguments, and the main loop's glue.
// The API is that of GTK 4.8, which Debian 12 has. What later versions deprecate is no warning.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#include <adwaita.h>
#include <glib-unix.h>
#include <sys/eventfd.h>

// Calls `handler` with `data` first, so that one function serves signals with any arguments. `release` frees `data`.
static inline void desktop_connect(gpointer object, const char *signal, gboolean (*handler)(gpointer),
                                   gpointer data, void (*release)(gpointer, GClosure *)) {
    g_signal_connect_data(object, signal, G_CALLBACK(handler), data, release, G_CONNECT_SWAPPED);
}

// Calls `handler` with each address that the application is opened with.
typedef void (*DesktopOpen)(GApplication *, GFile **, gint, const char *, gpointer);
static inline void desktop_connect_open(GApplication *application, DesktopOpen handler, gpointer data) {
    g_signal_connect_data(application, "open", G_CALLBACK(handler), data, NULL, (GConnectFlags)0);
}

static inline GtkWidget *desktop_label_new(GtkAccessibleRole role) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_LABEL, "accessible-role", role, "wrap", TRUE, "wrap-mode",
                                   PANGO_WRAP_WORD_CHAR, "justify", GTK_JUSTIFY_CENTER, NULL));
}

// Names a widget for a screen reader.
static inline void desktop_set_name(GtkWidget *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

// Hides a widget from screen readers, or shows it to them.
static inline void desktop_set_accessible_hidden(GtkWidget *widget, gboolean is_hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

static inline GtkStyleProvider *desktop_style_provider(GtkCssProvider *provider) {
    return GTK_STYLE_PROVIDER(provider);
}

// Swift's main actor runs on Dispatch's main queue. GLib's loop drains it whenever its event descriptor is readable.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);

static inline gboolean desktop_drain(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    eventfd_t count;
    eventfd_read(descriptor, &count);
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

static inline void desktop_run_main_actor(void) {
    g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, desktop_drain, NULL);
}
