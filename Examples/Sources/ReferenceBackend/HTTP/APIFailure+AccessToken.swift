// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import ResourceServer

extension APIFailure {
    /// Creates the failure of a request with a provider's access token.
    init(_ error: AccessTokenError) {
        self.init(error.status, error.code.description, "The access token was not accepted.", headers: error.headers)
    }
}
