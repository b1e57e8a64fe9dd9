// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import Accessibility
public import SwiftUI

/// An error message in red, for the place below a button; it is read aloud when it appears.
public struct InlineError: View {
    private let message: String

    /// Creates the view with one sentence for the user.
    public init(message: String) {
        self.message = message
    }

    public var body: some View {
        Text(message)
            .font(.footnote)
            .foregroundStyle(.red)
            .multilineTextAlignment(.center)
            .fixedSize(horizontal: false, vertical: true)
            .onAppear { AccessibilityNotification.Announcement(message).post() }
            .onChange(of: message) { AccessibilityNotification.Announcement(message).post() }
    }
}
#endif
