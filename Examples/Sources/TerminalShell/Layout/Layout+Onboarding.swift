// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

extension Layout {
    var onboarding: LayoutPage {
        guard let page = model.onboarding.page else { return LayoutPage() }
        let dots = LayoutRow(
            pieces: model.onboarding.pages.indices.map { index in
                let isShown = index == model.onboarding.index
                return LayoutRow.Piece(
                    text: isShown ? model.glyphs.dot : model.glyphs.emptyDot,
                    style: isShown ? .title : .dim,
                    action: .page(index)
                )
            },
            importance: .essential,
            gap: 1
        )
        var body = picture(of: page)
        body += [.blank] + rows(page.title, .title, .essential) + [.blank] + rows(page.text)
        body += [.blank, .blank, dots, .blank, row(of: model.actions.filter { $0 != .skip })]
        let isLast = model.onboarding.isLast
        let keys = isLast ? "Enter get started" : "n next · s skip"
        let footer = [hint("\(model.glyphs.arrows) turn the page · \(keys) · q quit")]
        return LayoutPage(header: [skipRow], body: body, footer: footer)
    }

    /// The row at the top: the wordmark, and at the right the button to skip the pages, if there is one.
    private var skipRow: LayoutRow {
        let wordmark = LayoutRow.Piece(text: model.brand.wordmark, style: .wordmark)
        let skip = row(of: model.actions.filter { $0 == .skip }).pieces
        var header = LayoutRow(pieces: [wordmark] + skip, importance: .essential, alignment: .ends)
        // The button comes first if there is no room for both.
        if header.width > size.columns, let button = skip.first { header.pieces = [LayoutRow.Piece(text: ""), button] }
        if skip.isEmpty { header.importance = .hint }
        return header
    }

    /// The symbol of a page, in a circle over the page's gradient if the screen has enough colours.
    private func picture(of page: OnboardingPage) -> [LayoutRow] {
        guard model.glyphs.hasPictures else { return [] }
        let symbol = Picture.rows(of: page.symbolName)
        guard model.glyphs.hasGradients, let gradient = page.gradient, size.columns >= SymbolBadge.columns else {
            return symbol.map { LayoutRow($0, .picture, .picture) }
        }
        return SymbolBadge(symbol: symbol, gradient: gradient).rows
    }
}
