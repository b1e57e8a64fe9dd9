// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
public import Foundation
public import SwiftUI

extension View {
    /// Passes each URL that the app is opened with to the pending sign-in.
    ///
    /// - Parameter other: The closure to call with a URL that isn't an authorization response, such as the app's own
    ///   links.
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
