// SPDX-License-Identifier: Apache-2.0

@_exported public import APIClient
@_exported public import AppBackendSession
@_exported public import AuthCore
@_exported public import AuthSession
@_exported public import AuthUI
@_exported public import OpenIDConnect
@_exported public import OpenIDSession
@_exported public import SecureStore
