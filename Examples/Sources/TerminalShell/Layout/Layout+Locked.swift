import SecureStore

extension Layout {
    func locked(_ reason: SecureStoreError) -> LayoutPage {
        var body = wordmark + [.blank]
        body += rows("You are not signed out.", .title, .essential) + [.blank]
        body += rows(ShownText.of(reason.description) ?? "", .error, .text) + [.blank]
        body.append(model.facts.isLoading ? waiting("Looking again") : buttons)
        return LayoutPage(body: body, footer: [hint("Enter try again · q quit")])
    }
}
