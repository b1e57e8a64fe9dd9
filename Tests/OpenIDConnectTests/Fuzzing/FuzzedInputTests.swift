// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The fuzzers' corpus and every crash that they found, in `Tests/Fuzzing`.
@Suite struct FuzzedInputTests {
    /// A fuzz target, named after its folder.
    enum Target: String, CaseIterable, Sendable {
        case callback = "Callback"
        case discovery = "Discovery"
        case keySet = "KeySet"
        case tokenResponse = "TokenResponse"

        func complaint(about bytes: [UInt8]) -> String? {
            switch self {
            case .callback: CallbackOracle.complaint(about: bytes) ?? RequestHeadOracle.complaint(about: bytes)
            case .discovery: DiscoveryOracle.complaint(about: bytes)
            case .tokenResponse: TokenResponseOracle.complaint(about: bytes)
            case .keySet:
                KeySetOracle.complaint(about: bytes) ?? KeySetOracle.complaintAboutUse(of: bytes)
            }
        }
    }

    private static func inputs(_ folder: String, _ target: Target) throws -> [URL] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let place = tests.appending(path: "Fuzzing/\(folder)/\(target.rawValue)")
        guard FileManager.default.fileExists(atPath: place.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    @Test(arguments: Target.allCases)
    func `each target has recorded inputs`(target: Target) throws {
        #expect(try Self.inputs("Corpus", target).count >= 10)
        // The other targets have had no crash.
        if target == .callback { #expect(try !Self.inputs("Crashes", target).isEmpty) }
    }

    @Test(arguments: Target.allCases, ["Corpus", "Crashes"])
    func `every recorded input satisfies the oracle`(target: Target, folder: String) throws {
        for input in try Self.inputs(folder, target) {
            let complaint = target.complaint(about: Array(try Data(contentsOf: input)))
            #expect(complaint == nil, "\(input.lastPathComponent)")
        }
    }
}
