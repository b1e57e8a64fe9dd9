// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The shell with its services", .timeLimit(.minutes(1)))
@MainActor
struct ShellTests {
    /// Returns services with a fixed state and fixed jobs.
    private static func services(_ state: SessionState, jobs: JobsResponse) -> ShellServices {
        var services = ShellServices.still
        services.facts = { ShellFacts(state: state) }
        services.jobs = { jobs }
        return services
    }

    /// Runs a shell; a closure gives the user's reaction to each screen.
    private func run(_ services: ShellServices, _ reaction: @escaping (ShellModel) -> ShellEvent?) async -> ShellModel {
        let model = ShellModel(brand: .customer, isOnboardingCompleted: true)
        let screen = SimulatedUserScreen(reaction)
        let shell = Shell(model, on: screen, services: services, checkInterval: .seconds(3_600))
        _ = await shell.run()
        return shell.model
    }

    @Test func `a failure to load jobs is shown`() async {
        let services = Self.services(.signedIn(ShellModel.ada, .online), jobs: .failed)
        let model = await run(services) { $0.haveJobsFailed ? .interrupt(0) : nil }
        #expect(model.text().contains("Your pickups could not be loaded."))
        #expect(model.refresh == nil)
    }

    @Test func `a retry ends with a response`() async {
        var hasAsked = false
        let model = await run(Self.services(ShellModel.atOffline.facts.state, jobs: .notAsked)) { model in
            if model.notice == "Still offline." { return .interrupt(0) }
            guard model.isOffline, !hasAsked else { return nil }
            hasAsked = true
            return .line("1")
        }
        #expect(model.isOffline)
    }
}
