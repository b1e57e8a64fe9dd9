// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The fuzzer's corpus and all crashes that it found: `Tests/Fuzzing`.
@Suite struct FuzzedInputTests {
    private static func inputs(in folder: String) throws -> [URL] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: tests.appending(path: "Fuzzing/\(folder)/JWT"),
            includingPropertiesForKeys: nil
        )
        return files.filter { $0.pathExtension != "md" }.sorted { $0.path < $1.path }
    }

    @Test func `the recorded inputs are not empty`() throws {
        #expect(try Self.inputs(in: "Corpus").count >= 100)
        #expect(try !Self.inputs(in: "Crashes").isEmpty)
    }

    @Test(arguments: ["Corpus", "Crashes"])
    func `every recorded input satisfies the oracle`(folder: String) throws {
        for input in try Self.inputs(in: folder) {
            let complaint = try DecodingOracle.complaint(about: Array(Data(contentsOf: input)))
            #expect(complaint == nil, "\(input.lastPathComponent)")
        }
    }
}
