import ArgumentParser
import SecureStore

/// `sallyport doctor`: what stands in the way of a sign-in, and what to do about it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store, the browser, and a provider; say what to do about what is wrong."
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "A provider whose discovery document, and clock, are looked at.")
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
