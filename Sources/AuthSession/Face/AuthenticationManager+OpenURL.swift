#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthenticationManager {
    /// Takes an address that the app was opened with, and ends the pending sign-in where it is the answer to that.
    ///
    /// Any program can open an address of the app's: one that is no answer changes and shows nothing. Whatever goes wrong
    /// with the answer stands in ``errorMessage``.
    ///
    /// - Parameter url: The address. From outside.
    /// - Returns: Whether it was the answer; another one is the app's own to look at.
    @discardableResult
    public func handleOpenURL(_ url: URL) async -> Bool {
        let address = url.absoluteString
        do {
            guard try await session.isSignInAnswer(address) else { return false }
        } catch {
            begin()
            end(error)
            return false
        }
        await signIn { try await $0.completeSignIn(redirectedTo: address) }
        return true
    }
}
