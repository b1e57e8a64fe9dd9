// SPDX-License-Identifier: Apache-2.0

extension Layout {
    var signIn: LayoutPage {
        if model.isSigningIn { return signingIn }
        var body = wordmark + (model.form.fields.isEmpty ? [.blank, .blank] : [.blank])
        if let sentence = model.signedOutSentence { body += rows(sentence) + [.blank] }
        body += fields
        body.append(model.facts.isLoading ? waiting("One moment") : buttons)
        if let message = errorMessage {
            body += [.blank] + rows(message, .error, .essential)
        }
        if let notice = model.standingNotice { body += [.blank] + rows(notice, .plain, .essential) }
        let keys = model.form.fields.isEmpty ? "Enter sign in · q quit" : "Tab next · Enter sign in · Ctrl-C quit"
        return LayoutPage(body: body, footer: [hint(keys)])
    }

    /// The last error message, made safe to show.
    var errorMessage: String? { model.facts.errorMessage.flatMap { ShownText.of($0) } }
}
