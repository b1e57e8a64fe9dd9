// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthSession
import OpenIDConnect
import OpenIDSession

extension AuthSession {
    /// The name of the contract with the server: a backend's, the grant of a program, `openID` or `oauth`.
    nonisolated var contractName: String {
        if let contract = backend.contract { return contract.rawValue }
        if let program = backend.program { return program.grant.contract }
        return backend.provider?.metadata.jwksURI == nil ? "oauth" : "openID"
    }
}
