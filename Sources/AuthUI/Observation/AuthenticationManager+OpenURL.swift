// SPDX-License-Identifier: Apache-2.0

import AuthSession

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthenticationManager {
    /// Completes the pending sign-in if the app was opened with its authorization response.
    ///
    /// Any program can open a URL of the app's, so any other URL changes and shows nothing. Errors of the sign-in
    /// appear in ``errorMessage``, and so does the store's error if the pending sign-in can't be read.
    ///
    /// - Parameter url: The URL that the app was opened with. Untrusted.
    /// - Returns: Whether it was the authorization response; false also if the store can't be read. The app handles any
    ///   other URL.
    @discardableResult
    public func handleOpenURL(_ url: URL) async -> Bool {
        let address = url.absoluteString
        do {
            guard try await session.isSignInResponse(address) else { return false }
        } catch {
            begin()
            end(error)
            return false
        }
        await signIn { try await $0.completeSignIn(redirectedTo: address) }
        return true
    }
}
