import AuthSession
import Foundation
import Testing

/// The code of the documents, which must match the code that is compiled in this folder.
struct SampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test(arguments: [
        ("Sources/OpenIDConnect/OpenIDConnect.docc/OpenIDConnect.md", "OpenIDConnectSamples.swift", 1),
        ("Sources/OpenIDSession/OpenIDSession.docc/SigningInAtAProvider.md", "OpenIDConnectSamples.swift", 4),
        ("Sources/AuthUI/AuthUI.docc/AddingSignInToAnApp.md", "AppsSamples.swift", 6),
    ])
    func `every line of a document's samples is compiled here`(path: String, name: String, count: Int) throws {
        let root = (0..<4).reduce(Self.folder) { folder, _ in folder.deletingLastPathComponent() }
        let document = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let source = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let compiled = Set(Self.lines(of: source[...]))
        let samples = document.components(separatedBy: "```swift\n").dropFirst()
        #expect(samples.count == count)
        for sample in samples {
            for line in Self.lines(of: sample.prefix(upTo: try #require(sample.range(of: "```")).lowerBound)) {
                #expect(compiled.contains(line), "\(line)")
            }
        }
    }

    @Test func `the sample for tests signs in`() async throws {
        let session = try await OpenIDConnectSamples().signedInForATest()
        await #expect(throws: (any Error).self) { try await session.refresh() }
    }

    /// Returns the code lines of a text, without indentation and comments.
    private static func lines(of text: Substring) -> [String] {
        text.split(separator: "\n").map { line in
            let code = line.range(of: "//", options: .backwards).map { comment in
                line[..<comment.lowerBound].last.map { $0 == " " } ?? true ? line[..<comment.lowerBound] : line
            }
            return (code ?? line).trimmingCharacters(in: .whitespaces)
        }
        .filter { !$0.isEmpty }
    }
}
