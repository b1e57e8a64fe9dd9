// SPDX-License-Identifier: Apache-2.0

import SecureStore

extension Layout {
    func locked(_ reason: SecureStoreError) -> LayoutPage {
        let sentences = LockedSentences(reason)
        var body = wordmark + [.blank]
        body += rows(sentences.lead, .title, .essential) + [.blank]
        // The advice keeps its space before the reason.
        body += rows(sentences.reason, .plain, sentences.advice == nil ? .text : .hint) + [.blank]
        if let advice = sentences.advice { body += rows(advice, .plain, .text) + [.blank] }
        body.append(model.facts.isLoading ? waiting("Trying again") : buttons)
        if let notice = model.standingNotice { body += [.blank] + rows(notice, .error, .hint) }
        return LayoutPage(body: body, footer: [hint("Enter try again · q quit")])
    }
}
