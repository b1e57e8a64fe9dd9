// SPDX-License-Identifier: Apache-2.0

#include "LibsecretLookup.h"

#include <libsecret/secret.h>
#include <string.h>

static const SecretSchema schema = {
    "com.example.unused",
    SECRET_SCHEMA_DONT_MATCH_NAME,
    {
        {"application", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"service", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"key", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {NULL, 0},
    },
};

long libsecret_lookup(const char *service, const char *account, const char *key) {
    GHashTable *attributes = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(attributes, "application", "sallyport");
    g_hash_table_insert(attributes, "service", (gpointer)service);
    g_hash_table_insert(attributes, "account", (gpointer)account);
    g_hash_table_insert(attributes, "key", (gpointer)key);
    GError *error = NULL;
    gchar *secret = secret_password_lookupv_sync(&schema, attributes, NULL, &error);
    g_hash_table_unref(attributes);
    if (error != NULL) {
        g_error_free(error);
        return -1;
    }
    if (secret == NULL) return -1;
    long length = (long)strlen(secret);
    secret_password_free(secret);
    return length;
}
