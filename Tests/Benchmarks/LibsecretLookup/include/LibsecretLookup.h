// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Looks a secret up with libsecret's simple API, as a C program does.
///
/// Returns its length, or -1 where it is not found or can't be read.
long libsecret_lookup(const char *service, const char *account, const char *key);
