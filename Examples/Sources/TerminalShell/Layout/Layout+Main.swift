// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

extension Layout {
    var main: LayoutPage {
        var page = LayoutPage(isCentered: false)
        page.header = [
            LayoutRow(
                pieces: [
                    LayoutRow.Piece(text: model.brand.wordmark, style: .wordmark),
                    LayoutRow.Piece(text: model.facts.name ?? "", style: .dim),
                ],
                importance: .hint,
                alignment: .ends
            )
        ]
        if let banner { page.header.append(banner) }
        page.header.append(.blank)
        page.body = content
        if model.haveJobsFailed { page.body += [.blank] + rows(model.jobsFailure, .error, .text, .leading) }
        if let notice = model.standingNotice, notice != model.jobsFailure {
            page.body += [.blank] + rows(notice, .plain, .hint, .leading)
        }
        if let message = errorMessage { page.body += [.blank] + rows(message, .error, .essential, .leading) }
        let buttons = model.selectedTab == .settings ? "Tab, Enter press a button" : "r \(refreshTitle)"
        page.footer = [tabs, hint("\(model.glyphs.arrows) change the tab · \(buttons) · q quit")]
        return page
    }

    private var refreshTitle: String { model.isOffline ? "try again" : "refresh" }

    /// The offline banner, or nil if the server is reachable.
    private var banner: LayoutRow? {
        guard case .main(let since?) = model.flow.screen else { return nil }
        let long = "Offline since \(ClockTime.text(of: since)). Retrying automatically."
        let text = size.columns < 40 ? "Offline" : long
        return LayoutRow(
            pieces: [LayoutRow.Piece(text: " \(text)", style: .banner, action: .retry)],
            importance: .essential,
            alignment: .filled
        )
    }

    private var tabs: LayoutRow {
        let pieces = model.tabs.indices.map { index in
            LayoutRow.Piece(
                text: " \(model.tabs[index].title) ",
                style: index == model.tab ? .selectedTab : .tab,
                action: .tab(index)
            )
        }
        let row = LayoutRow(pieces: pieces, importance: .essential, gap: 1)
        if row.width <= size.columns { return row }
        // Shows a single tab, between buttons for the neighbouring ones.
        return LayoutRow(
            pieces: [
                LayoutRow.Piece(text: "<", style: .tab, action: .tab(max(0, model.tab - 1))), pieces[model.tab],
                LayoutRow.Piece(text: ">", style: .tab, action: .tab(min(model.tabs.count - 1, model.tab + 1))),
            ],
            importance: .essential,
            gap: 1
        )
    }
}
