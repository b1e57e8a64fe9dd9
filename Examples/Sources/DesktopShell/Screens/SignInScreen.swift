// SPDX-License-Identifier: Apache-2.0

import AuthUI
import CAdwaita
import UmuveBrands

/// The sign-in screen, with the app's wordmark, Apple's button, and below it the last error or the sign-out reason.
///
/// While the browser shows the sign-in, its address and a button to cancel replace the button.
struct SignInScreen: View {
    let widget: Widget

    init(_ model: AppModel) {
        widget = Screen {
            Spacer()
            Wordmark(model.brand)
            Spacer()
            Button(model.isAtProvider ? "Sign in" : "Sign in with Apple") { model.signIn() }
                .style("apple", "pill").aligned(GTK_ALIGN_CENTER).focused()
                .shown { !model.isSigningIn && !model.manager.isLoading }
            SigningIn(model).shown { model.isSigningIn || model.manager.isLoading }
            ErrorLine(model)
            Text { model.signedOutSentence }
        }
        .onKey("Escape") { model.cancelSignIn() }
    }
}
