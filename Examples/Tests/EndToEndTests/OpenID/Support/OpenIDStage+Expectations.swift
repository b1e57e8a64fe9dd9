// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// Expectations that hold for every provider.
extension OpenIDStage {
    /// Expects no secret in the tool's output, in a file that it could write, or in the browser's arguments.
    ///
    /// The URL for the browser is shown to the user, and contains a state and a nonce or a reference to them. These are
    /// searched for everywhere but there. The output must not control a terminal either.
    func expectNoSecret(
        in outputs: [Command.Output],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let texts = outputs.flatMap { [$0.text, $0.errorText] }
        let withoutAddresses = outputs.flatMap { [$0.text] + $0.notes.filter { !isAddress($0) } }
        let secrets = try await provider.secrets()
        try #require(!secrets.isEmpty || outputs.allSatisfy { $0.exitCode != 0 })
        for secret in secrets {
            let isShown = ["state", "nonce", "request_uri"].contains(secret.kind)
            let isPrinted = (isShown ? withoutAddresses : texts + addresses).contains { $0.contains(secret.value) }
            #expect(!isPrinted, "a secret is printed: \(secret.kind)", sourceLocation: sourceLocation)
            let files = files(containing: Data(secret.value.utf8))
            #expect(files.isEmpty, "a secret lies about: \(secret.kind)", sourceLocation: sourceLocation)
        }
        for text in texts {
            let drives = text.unicodeScalars.contains { scalar in
                switch scalar.properties.generalCategory {
                case .control: scalar != "\n"
                case .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            }
            #expect(!drives, "\(text.debugDescription)", sourceLocation: sourceLocation)
        }
    }

    /// Expects that a failure prints one sentence on what happened, one on what to do, and no result.
    func expectTwoSentences(_ output: Command.Output, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(output.text.isEmpty, sourceLocation: sourceLocation)
        let sentences = output.notes.filter { !isProgress($0) }
        #expect(sentences.count == 2, "\(output.errorText)", sourceLocation: sourceLocation)
        #expect(sentences.first?.hasSuffix(".") == true, "\(sentences)", sourceLocation: sourceLocation)
        #expect(sentences.allSatisfy { $0.count < 500 }, "\(sentences)", sourceLocation: sourceLocation)
    }

    /// Expects that no code, token or proof went to the other origin, and that no key came from a location that a token
    /// names.
    func expectNothingElsewhere(
        _ log: [ProviderRequest],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let elsewhere = log.filter { $0.server == "other" }
        #expect(!elsewhere.contains { $0.isSecret }, "\(elsewhere)", sourceLocation: sourceLocation)
        #expect(!elsewhere.contains { $0.method == "POST" }, "\(elsewhere)", sourceLocation: sourceLocation)
        #expect(!log.contains { $0.path == "/strangers-jwks" }, sourceLocation: sourceLocation)
    }

    private func isAddress(_ note: String) -> Bool {
        let text = note.trimmingCharacters(in: .whitespaces)
        return [provider.issuer, provider.other].contains { text.hasPrefix($0 + "/") }
    }

    /// Returns whether a note is progress output: the awaited event, and the URLs and codes shown for it.
    private func isProgress(_ note: String) -> Bool {
        isAddress(note) || note.hasPrefix("    ") || Self.progress.contains(note)
    }

    private static let progress: Set = [
        "Waiting for the browser. If none opened, open this address:",
        "Open this address in a browser:",
        "Open this address on any device, and type the code there:",
        "Waiting for the sign-in.",
    ]
}
