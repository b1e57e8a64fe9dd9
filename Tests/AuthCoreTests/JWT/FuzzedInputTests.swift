import Foundation
import Testing

/// What the fuzzer was fed with, and what it ever found: `Tests/Fuzzing`.
@Suite struct FuzzedInputTests {
    struct Input: Sendable, CustomTestStringConvertible {
        let url: URL
        var testDescription: String { url.lastPathComponent }
    }

    private static func inputs(in folder: String) throws -> [Input] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: tests.appending(path: "Fuzzing/\(folder)"),
            includingPropertiesForKeys: nil
        )
        return files.filter { $0.pathExtension != "md" }.sorted { $0.path < $1.path }.map { Input(url: $0) }
    }

    @Test func `the corpus holds what the fuzzer begins with`() throws {
        #expect(try Self.inputs(in: "Corpus").count >= 100)
    }

    @Test(arguments: try inputs(in: "Corpus") + inputs(in: "Crashes"))
    func `an input of the fuzzer is read soundly`(input: Input) throws {
        #expect(try DecodingOracle.complaint(about: Array(Data(contentsOf: input.url))) == nil)
    }
}
