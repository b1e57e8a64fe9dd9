extension Layout {
    var signIn: LayoutPage {
        var body = wordmark + [.blank, .blank]
        if model.isSigningIn {
            body.append(waiting(model.address == nil ? "Finish signing in in the browser" : "Waiting for the browser"))
            if let address = model.address {
                body += [.blank] + rows("No browser could be opened. Open this address:")
                body += TextWidth.wrap(address, to: size.columns).map { LayoutRow($0, .plain, .essential, .edge) }
            }
            body += [.blank, buttons]
        } else if model.facts.isLoading {
            body.append(waiting("One moment"))
        } else {
            body.append(buttons)
        }
        if let message = errorMessage {
            body += [.blank] + rows(message, .error, .essential)
        }
        let keys = model.isSigningIn ? "Esc cancel" : "Enter sign in"
        return LayoutPage(body: body, footer: [hint("\(keys) · q quit")])
    }

    /// What went wrong last, fit to be shown.
    var errorMessage: String? { model.facts.errorMessage.flatMap { ShownText.of($0) } }
}
