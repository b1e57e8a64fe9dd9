// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import Foundation
public import SwiftUI

/// The banner that says since when the server can't be reached, with a button to try again.
public struct OfflineBanner: View {
    private let since: Date
    private let manager: AuthenticationManager

    /// Creates the banner, or returns nil if the server is reachable or no user is signed in.
    public init?(manager: AuthenticationManager) {
        guard let since = manager.offlineSince else { return nil }
        self.since = since
        self.manager = manager
    }

    public var body: some View {
        HStack(spacing: 8) {
            Image(systemName: "wifi.slash")
                .accessibilityHidden(true)
            Text("Offline since \(since, style: .time)")
            Spacer()
            if manager.isLoading {
                ProgressView()
                    .accessibilityLabel("Reconnecting")
            } else {
                Button("Try again") { Task { await manager.retry() } }
            }
        }
        .font(.footnote)
        .padding(.horizontal)
        .padding(.vertical, 8)
        .frame(maxWidth: .infinity)
        .background(.thinMaterial)
    }
}

extension View {
    /// Shows the banner above a screen for as long as the server can't be reached.
    public func offlineBanner(_ manager: AuthenticationManager) -> some View {
        modifier(OfflineBannerModifier(manager: manager))
    }
}

private struct OfflineBannerModifier: ViewModifier {
    let manager: AuthenticationManager
    @Environment(\.accessibilityReduceMotion) private var reducesMotion

    func body(content: Content) -> some View {
        content
            .safeAreaInset(edge: .top, spacing: 0) {
                OfflineBanner(manager: manager)
                    .transition(.opacity)
            }
            .animation(reducesMotion ? nil : .default, value: manager.isOffline)
    }
}
#endif
