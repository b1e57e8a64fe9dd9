// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private let readme: String
    private let compiled: String

    init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        readme = try String(
            contentsOf: tests.appending(path: "../../Sources/ResourceServer/README.md"),
            encoding: .utf8
        )
        compiled = try String(contentsOf: tests.appending(path: "Support/ReadmeSamples.swift"), encoding: .utf8)
    }

    /// The Swift samples, in their order.
    private var samples: [String] {
        readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func `each sample is the whole body of a function that is compiled`() throws {
        try #require(samples.count == 2)
        for sample in samples {
            let body = lines(of: sample).filter { !isImport($0) }.joined()
            // The README breaks lines differently.
            #expect(bare(compiled).contains("{" + bare(body) + "}"), "\(sample)")
        }
    }

    @Test func `the samples need no other import than the README shows`() throws {
        let sample = try #require(samples.first)
        let shown = lines(of: sample).filter { isImport($0) }
        let needed = lines(of: compiled).filter { isImport($0) }
        #expect(shown == needed)
    }

    private func lines(of text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }

    private func bare(_ code: String) -> String { code.filter { !$0.isWhitespace } }
}
