#if canImport(SwiftUI)
import Accessibility
import SwiftUI

/// One sentence that says what went wrong, read aloud when it comes.
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
