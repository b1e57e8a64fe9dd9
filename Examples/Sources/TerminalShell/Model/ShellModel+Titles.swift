import AuthSession

extension ShellModel {
    /// Returns the title of a button.
    func title(of action: ShellAction) -> String {
        switch action {
        case .next: "Next"
        case .back: "Back"
        case .skip: "Skip"
        case .getStarted: "Get started"
        case .page(let index): "Page \(index + 1)"
        case .signIn: "Sign in with Apple"
        case .cancelSignIn: "Cancel"
        case .tab(let index): tabs.indices.contains(index) ? tabs[index].title : ""
        case .refresh: "Refresh"
        case .retry: "Try again"
        case .signOut: "Sign out"
        case .quit: "Quit"
        }
    }
}
