import Foundation
import Testing

/// What the fuzzers were fed with, and what they ever found: `Tests/Fuzzing`.
@Suite struct FuzzedInputTests {
    /// What is fuzzed, named as its folders are.
    enum Target: String, CaseIterable, Sendable {
        case callback = "Callback"
        case discovery = "Discovery"
        case keySet = "KeySet"
        case tokenAnswer = "TokenAnswer"

        func complaint(about bytes: [UInt8]) async -> String? {
            switch self {
            case .callback: CallbackOracle.complaint(about: bytes)
            case .discovery: DiscoveryOracle.complaint(about: bytes)
            case .tokenAnswer: TokenAnswerOracle.complaint(about: bytes)
            case .keySet:
                if let complaint = KeySetOracle.complaint(about: bytes) {
                    complaint
                } else {
                    await KeySetOracle.complaintAboutUse(of: bytes)
                }
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
    func `there is something to replay`(target: Target) throws {
        #expect(try Self.inputs("Corpus", target).count >= 10)
    }

    @Test(arguments: Target.allCases, ["Corpus", "Crashes"])
    func `an input of a fuzzer is read soundly`(target: Target, folder: String) async throws {
        for input in try Self.inputs(folder, target) {
            let complaint = await target.complaint(about: Array(try Data(contentsOf: input)))
            #expect(complaint == nil, "\(input.lastPathComponent)")
        }
    }
}
