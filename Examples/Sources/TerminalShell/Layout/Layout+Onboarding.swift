import AuthUI

extension Layout {
    var onboarding: LayoutPage {
        guard let page = model.onboarding.page else { return LayoutPage() }
        let picture = model.glyphs.hasPictures ? Picture.rows(of: page.symbolName) : []
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
        var body = picture.map { LayoutRow($0, .picture, .picture) }
        body += [.blank] + rows(page.title, .title, .essential) + [.blank] + rows(page.text)
        body += [.blank, .blank, dots, .blank, buttons]
        let isLast = model.onboarding.isLast
        let keys = isLast ? "Enter get started" : "n next · s skip"
        return LayoutPage(body: body, footer: [hint("\(model.glyphs.arrows) turn the page · \(keys) · q quit")])
    }
}
