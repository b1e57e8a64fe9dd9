// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The page of the documentation on one provider.
struct ProviderPage: Sendable, CustomTestStringConvertible {
    /// The name of the player.
    let provider: String
    /// The name of the article, without `SigningIn`.
    private let article: String
    /// The name of the file with the article's sample.
    let sample: String

    static let all = [
        ProviderPage("google", "WithGoogle"), ProviderPage("microsoft", "WithMicrosoft"),
        ProviderPage("auth0", "WithAuth0"), ProviderPage("okta", "WithOkta"), ProviderPage("keycloak", "WithKeycloak"),
        ProviderPage("cognito", "WithCognito"), ProviderPage("gitlab", "WithGitLab"),
        ProviderPage("github", "WithGitHub"), ProviderPage("mcp", "ToAnMCPServer"),
    ]

    var testDescription: String { provider }

    private init(_ provider: String, _ article: String) {
        (self.provider, self.article) = (provider, article)
        sample = "SignIn\(article)"
    }

    private static func file(_ path: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../../../../../\(path)").standardizedFileURL
    }

    /// Returns the lines of the article's blocks of a language.
    func block(_ language: String) throws -> String {
        let path = "Sources/OpenIDSession/OpenIDSession.docc/SigningIn\(article).md"
        let text = try String(contentsOf: Self.file(path), encoding: .utf8)
        let parts = text.components(separatedBy: "```\(language)\n").dropFirst()
        let blocks = parts.map { $0.components(separatedBy: "```")[0] }
        try #require(blocks.count == 1, "\(article) has \(blocks.count) blocks of \(language)")
        return blocks[0]
    }

    /// Returns the command lines, in order.
    func commands() throws -> [String] {
        try block("sh").split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// Returns the source of the sample program's file.
    func source() throws -> String {
        try String(contentsOf: Self.file("Examples/Tests/ProviderSample/\(sample).swift"), encoding: .utf8)
    }
}
