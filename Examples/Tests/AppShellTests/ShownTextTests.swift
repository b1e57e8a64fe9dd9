// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing

@Suite("Untrusted text on a screen")
struct ShownTextTests {
    @Test func `it stays on its line and controls nothing`() {
        #expect(ShownText.of("Ada\u{1B}[31m\r\n\u{2028}\u{202E}evil\u{7}") == "Ada[31mevil")
        #expect(ShownText.of("\u{1B}\n\u{200B}") == nil)
    }

    @Test func `its length is limited`() {
        #expect(ShownText.of(String(repeating: "a", count: 1_000), limit: 40) == String(repeating: "a", count: 40))
    }
}
