import ArgumentParser
import SecureStore

/// `sallyport doctor`: finds problems that prevent a sign-in, and gives advice.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store, the browser and a provider, and suggest fixes."
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "A provider to check: its discovery document and its clock.")
    var issuer: String?

    func run() async throws {
        var findings = await StoreCheckup(profile: global.profile, choice: global.store).findings()
        findings.append(BrowserCheckup.finding())
        if let issuer {
            findings += await ProviderCheckup(issuer: issuer, settings: try global.providerSettings()).findings()
        }
        Terminal.result(findings.map(\.text).joined(separator: "\n"))
        if let first = findings.first(where: { $0.status != .done }) { throw first.status }
    }
}
