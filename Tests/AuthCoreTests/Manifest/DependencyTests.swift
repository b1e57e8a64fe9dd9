// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The packages that the manifests name: every one of them runs with the app's tokens in its memory.
///
/// A new dependency is reviewed first, and then gets a row in `Docs/Dependencies.md`.
@Suite struct DependencyTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        return try String(contentsOf: root.appendingPathComponent(path).standardized, encoding: .utf8)
    }

    /// Returns a manifest of this repository, without its comments.
    private static func manifest(_ path: String) throws -> String {
        try text(path).replacing(/(?m)^ *\/\/.*$/, with: "")
    }

    /// Returns the owners and names of the packages in the tables of `Docs/Dependencies.md` above a section.
    private static func reviewed(above section: String) throws -> Set<String> {
        let page = try text("Docs/Dependencies.md")
        let end = try #require(page.range(of: "\n## \(section)\n")).lowerBound
        let row = /(?m)^\| \[[\w.-]+\]\(https:\/\/github\.com\/([\w-]+\/[\w.-]+)\) \|/
        return Set(page[..<end].matches(of: row).map { String($0.1) })
    }

    /// The manifests: each may name the packages above the section `shared`, and must name those from there to `next`.
    private static let manifests: [(String, shared: String?, next: String)] = [
        ("Package.swift", nil, "Examples"), ("Examples/Package.swift", "Examples", "Benchmarks and fuzzing"),
    ]

    @Test(arguments: manifests)
    func `every dependency is a reviewed package, from its own address, at a released version`(
        path: String,
        shared: String?,
        next: String
    ) throws {
        let text = try Self.manifest(path)
        let form = /\.package\(url: "https:\/\/github\.com\/([\w-]+\/[\w.-]+?)(?:\.git)?", from: "\d+\.\d+\.\d+"\)/
        let named = text.matches(of: form).map { String($0.1) }
        // A dependency in another form is in no match.
        let inRepository = text.matches(of: /\.package\(\s*name: "Sallyport",\s*path: "\.\."/).count
        #expect(named.count + inRepository == text.matches(of: /\.package\(/).count)
        let others = try shared.map { try Self.reviewed(above: $0) } ?? []
        #expect(try others.union(named) == Self.reviewed(above: next))
    }

    @Test(arguments: ["Package.swift", "Examples/Package.swift"])
    func `no target brings a plugin, a macro or a binary`(path: String) throws {
        let text = try Self.manifest(path)
        #expect(text.contains(".target("))
        for part in ["plugin", ".macro(", "binaryTarget", ".branch(", ".revision("] {
            #expect(!text.contains(part), "\(part)")
        }
    }

    @Test func `AuthCore depends on swift-crypto alone`() throws {
        let form = /name: "AuthCore",\s*dependencies: \[([^\]]*)\]/
        let target = try #require(try Self.manifest("Package.swift").firstMatch(of: form))
        #expect(target.1 == #".product(name: "Crypto", package: "swift-crypto")"#)
    }
}
