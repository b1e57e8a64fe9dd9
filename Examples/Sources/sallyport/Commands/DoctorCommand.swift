// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecureStore

/// `sallyport doctor`: finds problems that prevent a sign-in, and gives advice.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store, the session, the browser and a provider, and suggest fixes.",
        usage: "sallyport doctor [--issuer URL] [--json] [options]",
        discussion: """
            The report contains no token, no secret and no e-mail address, and of servers only what you name with \
            --issuer and what that names in its place. You can paste it into an issue. The exit code is that of the \
            first problem.
            """,
        examples: [
            Example("Check this machine and the session", "doctor"),
            Example("Check a provider and its clock, too", "doctor --issuer https://id.example.com"),
        ]
    )

    @Option(
        name: .long,
        help: ArgumentHelp("A provider to check: its discovery document and its clock.", valueName: "url")
    )
    var issuer: String?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        var findings = await StoreCheckup(global: global).findings()
        findings += FolderCheckup.findings()
        findings += AccountCheckup.findings()
        findings.append(BrowserCheckup.finding())
        findings += ConnectionCheckup.findings()
        if let issuer {
            do {
                findings += await ProviderCheckup(issuer: issuer, settings: try global.providerSettings()).findings()
            } catch let failure as Failure {
                let (message, advice) = (failure.message, failure.advice)
                findings.append(Finding(subject: "TLS", sentence: message, advice: advice, status: failure.status))
            }
        }
        let report = DoctorReport(version: Sallyport.configuration.version, findings: findings)
        if json {
            try JSONOutput.print(report)
        } else {
            Terminal.result(report.text)
        }
        if let first = findings.first(where: { $0.status != .done }) { throw first.status }
    }
}
