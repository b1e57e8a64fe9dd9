#if canImport(SwiftUI)
import Accessibility
import SwiftUI

/// An error message that is read aloud when it appears.
struct InlineError: View {
    let message: String

    var body: some View {
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
