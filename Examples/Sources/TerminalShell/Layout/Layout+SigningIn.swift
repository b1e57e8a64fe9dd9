// SPDX-License-Identifier: Apache-2.0

extension Layout {
    /// The page of a sign-in in the browser, with the address to open.
    var signingIn: LayoutPage {
        var wait = waiting(model.signingInSentence)
        guard let address = model.address else {
            return LayoutPage(body: wordmark + [.blank, .blank, wait, .blank, buttons], footer: [cancelHint])
        }
        let way = way(to: address)
        // An incomplete address would be useless.
        guard way.count + 1 <= size.rows else {
            let sentence = rows("Make the window larger to see the address.", .plain, .essential)
            return LayoutPage(body: sentence + [.blank, buttons], footer: [cancelHint])
        }
        // The address and the cancel button keep their space before everything else.
        wait.importance = .text
        let head = wordmark.map { row in
            var row = row
            row.importance = .picture
            return row
        }
        return LayoutPage(body: head + [.blank, wait, .blank] + way + [.blank, buttons], footer: [cancelHint])
    }

    private var cancelHint: LayoutRow { hint("Esc cancel · q quit") }

    private func way(to address: String) -> [LayoutRow] {
        let parts = TextWidth.wrap(address, to: size.columns)
        return rows("No browser? Open on this machine:", .plain, .essential)
            + parts.map { LayoutRow($0, .plain, .essential, .edge) }
    }
}
