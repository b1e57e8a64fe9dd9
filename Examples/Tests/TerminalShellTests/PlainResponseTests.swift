import AuthSession
import SecureStore
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("What the plain shell answers")
struct PlainResponseTests {
    /// Handles an event and returns the text that is read out because of it.
    private func told(_ event: ShellEvent, to model: inout ShellModel) -> [String] {
        let before = PlainText(model)
        _ = model.handle(event)
        let after = model
        return PlainText(model).announcement(after: before) { after.title(of: $0) }
    }

    @Test func `another try that changed nothing says so`() {
        var offline = ShellModel.atOffline
        #expect(offline.handle(.line("1")) == [.retry])
        #expect(told(.retryEnded(offline.facts), to: &offline) == ["Still offline."])
        var locked = ShellModel.atLocked
        #expect(locked.handle(.line("1")) == [.retry])
        #expect(told(.retryEnded(locked.facts), to: &locked) == ["Still locked."])
        var late = ShellModel.standing(.locked(SecureStoreError(.timedOut)))
        let answer = told(.retryEnded(late.facts), to: &late)
        #expect(answer == ["Tried again. The store did not respond in time."])
    }

    @Test func `another try that led on says what is new`() {
        var model = ShellModel.atOffline
        let answer = told(.retryEnded(ShellModel.atMain.facts), to: &model)
        #expect(answer.first == "Online again.")
        #expect(!answer.contains("Still offline."))
    }

    @Test func `a refresh says that nothing is new, and one that nobody asked for says nothing`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([])))
        #expect(model.handle(.line("1")) == [.refresh])
        #expect(told(.jobs(.loaded([])), to: &model) == ["Nothing new."])
        _ = model.handle(.checkDue)
        #expect(told(.jobs(.loaded([])), to: &model).isEmpty)
    }

    @Test func `a refresh that fails says so each time, and once`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([])))
        for _ in 1...2 {
            _ = model.handle(.line("1"))
            #expect(told(.jobs(.failed), to: &model) == ["Your pickups could not be loaded."])
        }
    }

    @Test func `while there is nothing to choose, a number is answered all the same`() {
        var model = ShellModel.atMain
        _ = model.handle(.facts(ShellFacts(state: model.facts.state, isLoading: true)))
        #expect(told(.line("1"), to: &model) == ["One moment."])
        #expect(model.handle(.line("q")) == [.quit(0)])
    }

    @Test func `an empty line reads everything again`() {
        var model = ShellModel.atMain
        #expect(model.handle(.line("")) == [.redraw])
        #expect(model.handle(.line(" ")) == [.redraw])
        #expect(model.notice == nil)
    }

    @Test(arguments: [(Brand.customer, "2"), (.driver, "1")])
    func `jobs that were never loaded are told from none`(brand: Brand, tab: String) {
        var model = ShellModel.standing(.signedIn(ShellModel.ada, .online), brand: brand)
        _ = model.handle(.key(.character(Character(tab))))
        #expect(model.told.contains("Not loaded yet."))
        _ = model.handle(.jobs(.loaded([])))
        #expect(!model.told.contains("Not loaded yet."))
        #expect(model.told.contains { $0.hasSuffix(" here.") })
    }

    @Test func `what is counted is named`() {
        var customer = ShellModel.atMain
        _ = customer.handle(.jobs(.loaded([JobsRefreshTests.job])))
        #expect(customer.told.contains("One pickup is open."))
        var driver = ShellModel.standing(.signedIn(ShellModel.ada, .online), brand: .driver)
        _ = driver.handle(.jobs(.loaded([JobsRefreshTests.job])))
        _ = driver.handle(.key(.character("2")))
        #expect(driver.told.contains("No job done yet. What you earn shows here."))
    }
}
