#if canImport(SwiftUI)
public import Foundation
public import SwiftUI

extension View {
    /// Hands the addresses that the app is opened with to the sign-in that waits for one.
    ///
    /// - Parameters:
    ///   - manager: The session as the screens show it.
    ///   - other: Told of an address that is no answer to a sign-in: the app's own links.
    /// - Returns: The view, which listens.
    public func signInRedirects(
        to manager: AuthenticationManager,
        otherwise other: @escaping @MainActor (URL) -> Void = { _ in }
    ) -> some View {
        onOpenURL { url in
            Task {
                if await !manager.handleOpenURL(url) { other(url) }
            }
        }
    }
}
#endif
