// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("Refreshing the jobs")
struct JobsRefreshTests {
    static let job = Job(id: "1", title: "Sofa", address: "1 Main St", status: "open")

    /// The main screen with its jobs.
    private var loaded: ShellModel {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([Self.job])))
        return model
    }

    @Test func `a refresh runs once at a time and shows its progress while the user waits`() {
        var model = loaded
        #expect(!model.text().contains("Loading"))
        #expect(model.handle(.key(.character("r"))) == [.refresh])
        #expect(model.handle(.key(.character("r"))).isEmpty)
        #expect(model.isMoving)
        #expect(model.text().contains("Loading…"))
        _ = model.handle(.jobs(.loaded([Self.job])))
        #expect(!model.isMoving)
        #expect(model.text().contains("[ Refresh ]"))
    }

    @Test func `an automatic refresh shows no progress until the user waits for it too`() {
        var model = loaded
        #expect(model.handle(.checkDue) == [.refresh])
        #expect(!model.isMoving)
        #expect(model.handle(.key(.character("r"))).isEmpty)
        #expect(model.isMoving)
    }

    @Test(arguments: [
        (Brand.customer, "Your pickups could not be loaded."), (.driver, "The jobs could not be loaded."),
    ])
    func `a failure to load jobs is shown until jobs are loaded`(brand: Brand, sentence: String) {
        var model = ShellModel.standing(.signedIn(ShellModel.ada, .online), brand: brand)
        _ = model.handle(.jobs(.failed))
        #expect(model.text().contains(sentence))
        #expect(model.announced.contains(sentence))
        _ = model.handle(.key(.character("r")))
        _ = model.handle(.jobs(.loaded([])))
        #expect(!model.text().contains(sentence))
        #expect(!model.announced.contains(sentence))
    }

    @Test func `earlier jobs stay if the next ones can't be loaded`() {
        var model = loaded
        _ = model.handle(.key(.character("2")))
        _ = model.handle(.jobs(.failed))
        #expect(model.text().contains("Sofa"))
        #expect(model.text().contains("Your pickups could not be loaded."))
    }

    @Test func `no error is shown for jobs that were not requested`() {
        var model = ShellModel.withoutJobs
        _ = model.handle(.jobs(.notAsked))
        #expect(!model.text().contains("could not be loaded"))
    }

    @Test func `jobs requested for an earlier user are not shown`() {
        var model = ShellModel.atMain
        _ = model.handle(.facts(ShellFacts(state: .signedOut(.userSignedOut))))
        #expect(model.handle(.facts(ShellFacts(state: .signedIn(ShellModel.ada, .online)))).isEmpty)
        #expect(model.handle(.jobs(.loaded([Self.job]))) == [.refresh])
        #expect(model.jobs == nil)
        #expect(model.handle(.jobs(.loaded([]))).isEmpty)
        #expect(model.jobs == [])
        _ = model.handle(.facts(ShellFacts(state: .signedOut(.userSignedOut))))
        _ = model.handle(.jobs(.loaded([Self.job])))
        #expect(model.jobs == nil)
    }

    @Test func `a change of the user removes the earlier user's jobs`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([Self.job])))
        _ = model.handle(.key(.right))
        let bob = ShellFacts(state: .signedIn(SessionUser(id: "2", name: "Bob"), .online))
        #expect(model.handle(.facts(bob)) == [.refresh])
        #expect(model.jobs == nil)
        #expect(model.tab == 0)
        // The server has sent a new name for the same user.
        _ = model.handle(.jobs(.loaded([Self.job])))
        #expect(
            model.handle(.facts(ShellFacts(state: .signedIn(SessionUser(id: "2", name: "Bobby"), .online)))).isEmpty
        )
        #expect(model.jobs == [Self.job])
    }
}
