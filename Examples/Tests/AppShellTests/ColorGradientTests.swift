// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing

@Suite("A gradient of colors")
struct ColorGradientTests {
    private let gradient = ColorGradient(
        from: SRGBColor(red: 0, green: 200, blue: 255),
        to: SRGBColor(red: 255, green: 100, blue: 255)
    )

    @Test func `each component changes from the start to the end`() {
        #expect(gradient.color(at: 0) == gradient.start)
        #expect(gradient.color(at: 1) == gradient.end)
        #expect(gradient.color(at: 0.5) == SRGBColor(red: 128, green: 150, blue: 255))
    }

    @Test func `places beyond the ends have the colors of the ends`() {
        #expect(
            [-1, -Double.infinity, .nan].map { gradient.color(at: $0) } == [
                gradient.start, gradient.start, gradient.start,
            ]
        )
        #expect([2, Double.infinity].map { gradient.color(at: $0) } == [gradient.end, gradient.end])
    }
}
