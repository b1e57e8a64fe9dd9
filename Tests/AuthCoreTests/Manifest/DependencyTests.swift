// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The packages that the manifests name: every one of them runs with the app's tokens in its memory.
///
/// A new dependency is reviewed first, and then added to the list here.
@Suite struct DependencyTests {
    private static let library: Set = [
        "apple/swift-crypto", "apple/swift-distributed-tracing", "apple/swift-http-types", "apple/swift-log",
        "apple/swift-metrics", "apple/swift-nio", "apple/swift-nio-ssl", "grpc/grpc-swift-2",
        "grpc/grpc-swift-nio-transport", "swift-server/async-http-client", "swift-server/swift-service-lifecycle",
    ]
    private static let examples: Set = [
        "apple/swift-argument-parser", "apple/swift-crypto", "apple/swift-http-types", "apple/swift-log",
        "apple/swift-nio", "apple/swift-system", "groue/GRDB.swift", "hummingbird-project/hummingbird",
        "swift-server/async-http-client", "swift-server/swift-service-lifecycle", "vapor/jwt-kit",
    ]

    /// Returns a manifest of this repository, without its comments.
    private static func manifest(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let text = try String(contentsOf: root.appendingPathComponent(path).standardized, encoding: .utf8)
        return text.replacing(/(?m)^ *\/\/.*$/, with: "")
    }

    @Test(arguments: [("Package.swift", library), ("Examples/Package.swift", examples)])
    func `every dependency is a reviewed package, from its own address, at a released version`(
        path: String,
        reviewed: Set<String>
    ) throws {
        let text = try Self.manifest(path)
        let form = /\.package\(url: "https:\/\/github\.com\/([\w-]+\/[\w.-]+?)(?:\.git)?", from: "\d+\.\d+\.\d+"\)/
        let named = text.matches(of: form).map { String($0.1) }
        // A dependency in another form is in no match.
        let inRepository = text.matches(of: /\.package\(\s*name: "Sallyport",\s*path: "\.\."/).count
        #expect(named.count + inRepository == text.matches(of: /\.package\(/).count)
        #expect(Set(named) == reviewed)
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
