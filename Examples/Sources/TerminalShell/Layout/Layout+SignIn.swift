extension Layout {
    var signIn: LayoutPage {
        if model.isSigningIn { return signingIn }
        var body = wordmark + [.blank, .blank]
        if let sentence = model.signedOutSentence { body += rows(sentence) + [.blank] }
        body.append(model.facts.isLoading ? waiting("One moment") : buttons)
        if let message = errorMessage {
            body += [.blank] + rows(message, .error, .essential)
        }
        return LayoutPage(body: body, footer: [hint("Enter sign in · q quit")])
    }

    /// The last error message, made safe to show.
    var errorMessage: String? { model.facts.errorMessage.flatMap { ShownText.of($0) } }
}
