// SPDX-License-Identifier: Apache-2.0

import AuthSession
import SecureStore
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The responses of the plain shell")
struct PlainResponseTests {
    /// Handles an event and returns the text that is read out because of it.
    private func announced(_ event: ShellEvent, to model: inout ShellModel) -> [String] {
        let before = PlainText(model)
        _ = model.handle(event)
        let after = model
        return PlainText(model).announcement(after: before) { after.title(of: $0) }
    }

    @Test func `a retry without a change is reported`() {
        var offline = ShellModel.atOffline
        #expect(offline.handle(.line("1")) == [.retry])
        #expect(announced(.retryEnded(offline.facts), to: &offline) == ["Still offline."])
        var locked = ShellModel.atLocked
        #expect(locked.handle(.line("1")) == [.retry])
        #expect(announced(.retryEnded(locked.facts), to: &locked) == ["Still locked."])
        var late = ShellModel.standing(.locked(SecureStoreError(.timedOut)))
        let response = announced(.retryEnded(late.facts), to: &late)
        #expect(response == ["Tried again. The store did not respond in time."])
    }

    @Test func `a retry with a change reports the change`() {
        var model = ShellModel.atOffline
        let response = announced(.retryEnded(ShellModel.atMain.facts), to: &model)
        #expect(response.first == "Online again.")
        #expect(!response.contains("Still offline."))
    }

    @Test func `a requested refresh without news is reported, and an automatic one is not`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([])))
        #expect(model.handle(.line("1")) == [.refresh])
        #expect(announced(.jobs(.loaded([])), to: &model) == ["Nothing new."])
        _ = model.handle(.checkDue)
        #expect(announced(.jobs(.loaded([])), to: &model).isEmpty)
    }

    @Test func `each failed refresh is reported once`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([])))
        for _ in 1...2 {
            _ = model.handle(.line("1"))
            #expect(announced(.jobs(.failed), to: &model) == ["Your pickups could not be loaded."])
        }
    }

    @Test func `a number gets a response even if there are no choices`() {
        var model = ShellModel.atMain
        _ = model.handle(.facts(ShellFacts(state: model.facts.state, isLoading: true)))
        #expect(announced(.line("1"), to: &model) == ["One moment."])
        #expect(model.handle(.line("q")) == [.quit(0)])
    }

    @Test func `an empty line repeats everything`() {
        var model = ShellModel.atMain
        #expect(model.handle(.line("")) == [.redraw])
        #expect(model.handle(.line(" ")) == [.redraw])
        #expect(model.notice == nil)
    }

    @Test(arguments: [(Brand.customer, "2"), (.driver, "1")])
    func `jobs that were never loaded are distinguished from an empty list`(brand: Brand, tab: String) {
        var model = ShellModel.standing(.signedIn(ShellModel.ada, .online), brand: brand)
        _ = model.handle(.key(.character(Character(tab))))
        #expect(model.announced.contains("Not loaded yet."))
        _ = model.handle(.jobs(.loaded([])))
        #expect(!model.announced.contains("Not loaded yet."))
        #expect(model.announced.contains { $0.hasSuffix(" here.") })
    }

    @Test func `counts name the counted items`() {
        var customer = ShellModel.atMain
        _ = customer.handle(.jobs(.loaded([JobsRefreshTests.job])))
        #expect(customer.announced.contains("One pickup is open."))
        var driver = ShellModel.standing(.signedIn(ShellModel.ada, .online), brand: .driver)
        _ = driver.handle(.jobs(.loaded([JobsRefreshTests.job])))
        _ = driver.handle(.key(.character("2")))
        #expect(driver.announced.contains("No job done yet. What you earn shows here."))
    }
}
