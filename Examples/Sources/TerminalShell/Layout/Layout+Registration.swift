// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

extension Layout {
    /// The page that asks for what the user's account lacks.
    var registration: LayoutPage {
        var body = [LayoutRow(model.brand.wordmark, .wordmark, .hint), .blank]
        body += rows(model.registrationSentence, .plain, .text) + [.blank] + fields
        body.append(model.facts.isLoading ? waiting("One moment") : buttons)
        if let message = errorMessage { body += [.blank] + rows(message, .error, .essential) }
        if let notice = model.standingNotice { body += [.blank] + rows(notice, .plain, .essential) }
        return LayoutPage(body: body, footer: [hint("Tab next · Enter continue · Ctrl-C quit")])
    }
}
