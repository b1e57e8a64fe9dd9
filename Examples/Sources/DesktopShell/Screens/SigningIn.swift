// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// The wait for the browser, with the page's address for a user whose browser doesn't open, and a button to cancel.
struct SigningIn: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget =
            VStack(spacing: 16) {
                ProgressView { model.page == nil ? "Signing in…" : "Continue in the browser…" }
                Text { model.page.map { _ in "No browser? Open on this machine:" } }
                Text { model.page }.selectable().style("caption")
                Button("Cancel") { model.cancelSignIn() }
                    .style("pill").aligned(GTK_ALIGN_CENTER).focused()
                    .shown { model.isSigningIn }
            }
            .widget
    }
}
