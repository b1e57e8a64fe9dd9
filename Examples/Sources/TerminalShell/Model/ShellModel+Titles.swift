// SPDX-License-Identifier: Apache-2.0

import AuthSession
import UmuveBrands

extension ShellModel {
    /// Returns the title of a button.
    func title(of action: ShellAction) -> String {
        switch action {
        case .next: "Next"
        case .back: "Back"
        case .skip: "Skip"
        case .getStarted: "Get started"
        case .page(let index): "Page \(index + 1)"
        case .signIn: brand.signInMethod == .apple ? "Sign in with Apple" : "Sign in"
        case .cancelSignIn: "Cancel"
        case .tab(let index): tabs.indices.contains(index) ? tabs[index].title : ""
        case .refresh: "Refresh"
        case .retry: "Try again"
        case .signOut: "Sign out"
        case .field(let index): form.fields.indices.contains(index) ? form.fields[index].label : ""
        case .register: "Continue"
        case .remember: "Keep me signed in"
        case .quit: "Quit"
        }
    }
}
