// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The layout of the onboarding")
struct OnboardingLayoutTests {
    private static let size = ScreenSize(columns: 80, rows: 24)

    /// Returns a model at a page, on a screen with enough colours for gradients or with fewer.
    private func model(_ brand: Brand, page: Int, hasGradients: Bool) -> ShellModel {
        var model = ShellModel.standing(.signedOut(.noSession), brand: brand, onboarded: false)
        model.glyphs.hasGradients = hasGradients
        for _ in 0..<page { _ = model.handle(.key(.right)) }
        return model
    }

    @Test(arguments: Brand.all, [20, 40, 80, 200])
    func `Skip is at the top right, and absent from the last page`(brand: Brand, columns: Int) throws {
        let size = ScreenSize(columns: columns, rows: 24)
        for page in 0..<2 {
            let drawing = Layout.drawing(of: model(brand, page: page, hasGradients: false), in: size)
            let skip = try #require(drawing.targets.first { $0.action == .skip })
            #expect(skip.position == Position(column: columns - skip.width, row: 0))
        }
        let last = Layout.drawing(of: model(brand, page: 2, hasGradients: false), in: size)
        #expect(!last.targets.contains { $0.action == .skip })
        #expect(last.targets.contains { $0.action == .getStarted })
    }

    @Test(arguments: Brand.all, 0..<3)
    func `the symbol of each page is in a white circle over the page's gradient`(brand: Brand, page: Int) throws {
        let drawing = Layout.drawing(of: model(brand, page: page, hasGradients: true), in: Self.size)
        let gradient = try #require(brand.pages[page].gradient)
        let cells = drawing.spans.compactMap { span -> (Drawing.Span, CellColors)? in
            if case .cell(let colors) = span.style { (span, colors) } else { nil }
        }
        // The corners have the ends of the gradient.
        #expect(cells.first?.1.background == gradient.start)
        #expect(cells.last?.1.background == gradient.end)
        let symbol = Picture.rows(of: brand.pages[page].symbolName)
        try #require(!symbol.isEmpty)
        let inside = cells.filter { $0.1 == CellColors(foreground: gradient.start, background: .white) }
        for row in symbol { #expect(inside.contains { $0.0.text.contains(row) }, "\(row)") }
        // The rows of the picture are as wide as each other.
        let rows = Dictionary(grouping: cells, by: \.0.position.row)
        #expect(rows.count == 8)
        #expect(rows.values.allSatisfy { $0.reduce(0) { $0 + TextWidth.columns($1.0.text) } == SymbolBadge.columns })
    }

    @Test func `the picture in a circle looks the same each time`() {
        let lines = model(.driver, page: 1, hasGradients: true).lines().map { $0.filter { $0 != " " } }
        #expect(lines.filter { $0.contains("▄") || $0.contains("▀") }.count >= 4)
        let plain = model(.driver, page: 1, hasGradients: false).text()
        for row in Picture.rows(of: "calendar.badge.clock") { #expect(plain.contains(row)) }
        #expect(!plain.contains("▄"))
    }

    @Test func `the picture is left out of a small screen, and nothing else`() {
        let text = Layout.drawing(
            of: model(.customer, page: 0, hasGradients: true),
            in: ScreenSize(columns: 40, rows: 12)
        ).lines.joined()
        for word in ["Skip", "Book a pickup", "● ○ ○", "Next"] { #expect(text.contains(word), "\(word)") }
        #expect(!text.contains("▄"))
    }

    @Test func `the truck stands beside the wordmark of the drivers' app if there is room`() {
        let signIn = ShellModel.standing(.signedOut(.noSession), brand: .driver)
        let truck = Picture.rows(of: "truck.box.fill")
        #expect(truck.count == 3)
        for row in truck { #expect(signIn.text().contains(row)) }
        #expect(!signIn.text(40, 24).contains(truck[0]))
        #expect(signIn.text(30, 10).contains("Umuve Pro"))
        #expect(!ShellModel.atSignIn.text().contains(truck[0]))
    }
}
