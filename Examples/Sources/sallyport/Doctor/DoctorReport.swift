// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The findings of the doctor, as text or as JSON, in a form that can be published.
struct DoctorReport: Encodable {
    /// The first line of the text.
    static let heading =
        "You can paste this report into an issue: it contains no token, no secret and no e-mail address, and of servers "
        + "only what you named and what it names in its place."

    private let version: String
    private let system: String
    private let architecture: String
    private let findings: [Entry]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - version: The version of the tool.
    ///   - findings: The findings. The home folder is removed from their text.
    init(version: String, findings: [Finding]) {
        self.version = version
        system = Terminal.shown(ProcessInfo.processInfo.operatingSystemVersionString, limit: 100) ?? "unknown"
        architecture = Machine.architecture
        self.findings = findings.map { Entry($0.withoutHome) }
    }

    var text: String {
        let tool = Finding(subject: "Tool", sentence: "sallyport \(version), \(system), \(architecture).")
        return ([Self.heading, "", tool.text] + findings.map(\.finding.text)).joined(separator: "\n")
    }

    /// One finding in the JSON.
    private struct Entry: Encodable {
        private enum CodingKeys: CodingKey {
            case subject
            case ok
            case sentence
            case advice
            case command
        }

        let finding: Finding

        init(_ finding: Finding) { self.finding = finding }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(finding.subject, forKey: .subject)
            try container.encode(finding.status == .done, forKey: .ok)
            try container.encode(finding.sentence, forKey: .sentence)
            try container.encodeIfPresent(finding.advice, forKey: .advice)
            try container.encodeIfPresent(finding.command, forKey: .command)
        }
    }
}
