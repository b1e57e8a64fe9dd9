// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The registration screen of the shell")
struct RegistrationScreenTests {
    private static let dana = SessionUser(id: "1", role: "driver", missing: [.name, .phoneNumber])

    private static func asked(_ user: SessionUser = dana) -> ShellModel {
        .standing(.signedIn(user, .online), brand: .driver)
    }

    @Test func `it has a field for exactly what is missing`() {
        #expect(Self.asked().form.fields.map(\.name) == [.name, .phoneNumber])
        let named = SessionUser(id: "1", name: "Dana", missing: [.phoneNumber])
        #expect(Self.asked(named).form.fields.map(\.name) == [.phoneNumber])
        #expect(Self.asked(named).text().contains("To get started, Umuve Pro needs your phone number."))
        #expect(ShellModel.atMain.form.fields.isEmpty)
    }

    @Test func `only an app that switches it on asks`() {
        let customer = ShellModel.standing(.signedIn(Self.dana, .online), brand: .customer)
        #expect(customer.isMain)
        #expect(customer.form.fields.isEmpty)
        #expect(Brand.all.filter(\.completesAccounts) == [.driver])
    }

    @Test func `typed keys go into the field that has the focus, and Enter leads through the fields to the button`() {
        var model = Self.asked()
        model.type("Dana qx")
        #expect(model.handle(.key(.backspace)).isEmpty)
        #expect(model.text().contains("Dana q_"))
        #expect(model.handle(.key(.enter)).isEmpty)
        model.type("+1 415")
        #expect(model.handle(.key(.tab)).isEmpty)
        #expect(model.focus == .register)
        let entries = ProfileEntries(model.form)
        #expect(entries.name == "Dana q")
        #expect(entries.phoneNumber == "+1 415")
        #expect(model.handle(.key(.enter)) == [.updateProfile(entries)])
        #expect(model.focus == .field(0))
        #expect(model.handle(.key(.enter)) == [.updateProfile(entries)])
    }

    @Test func `an empty field is asked for before anything is sent`() {
        var model = Self.asked()
        model.type("Dana")
        #expect(model.handle(.key(.tab)).isEmpty)
        #expect(model.handle(.key(.tab)).isEmpty)
        #expect(model.handle(.key(.enter)).isEmpty)
        #expect(model.focus == .field(1))
        #expect(model.text().contains("Type your phone number."))
    }

    @Test func `what was typed stays while the connection changes, and goes with the user`() {
        var model = Self.asked()
        model.type("Dana")
        let error = "Something went wrong. Try again."
        _ = model.handle(.facts(ShellFacts(state: .signedIn(Self.dana, .online), errorMessage: error)))
        #expect(model.form.value(of: .name) == "Dana")
        let other = SessionUser(id: "2", role: "driver", missing: [.name, .phoneNumber])
        _ = model.handle(.facts(ShellFacts(state: .signedIn(other, .online))))
        #expect(model.form.value(of: .name) == nil)
        _ = model.handle(.facts(ShellFacts(state: .signedIn(ShellModel.ada, .online))))
        #expect(model.isMain)
        #expect(model.form.fields.isEmpty)
    }

    @Test func `the fields show after the onboarding, too`() {
        var model = ShellModel.standing(.signedIn(Self.dana, .online), brand: .driver, onboarded: false)
        #expect(model.form.fields.isEmpty)
        #expect(model.handle(.key(.character("s"))) == [.completeOnboarding])
        #expect(model.form.fields.count == 2)
    }

    @Test func `an error is shown below the button, and a sign-out is offered`() throws {
        var model = Self.asked()
        let error = "Something went wrong. Try again."
        _ = model.handle(.facts(ShellFacts(state: .signedIn(Self.dana, .online), errorMessage: error)))
        for (columns, rows) in [(80, 24), (40, 12), (20, 8)] {
            let lines = model.lines(columns, rows)
            let button = try #require(lines.firstIndex { $0.contains("Continue") })
            #expect(lines[button].contains("Sign out"))
            #expect(try #require(lines.firstIndex { $0.contains("Something went") }) > button)
        }
        _ = model.handle(.key(.backTab))
        #expect(model.handle(.key(.enter)) == [.signOut])
    }

    @Test func `a long text shows its end, where the user types`() {
        var model = Self.asked()
        model.type(String(repeating: "a", count: 300) + "z")
        #expect(model.form.value(of: .name)?.count == TextField.Name.name.longest)
        var short = Self.asked()
        short.type(String(repeating: "a", count: 60) + "z")
        #expect(short.text().contains("az_"))
    }

    @Test func `the plain shell asks for one value a line, and for all again after a refusal`() {
        var model = Self.asked()
        #expect(model.announced.contains("Type your name, then Enter. q quits."))
        #expect(model.handle(.line("Quentin 2")).isEmpty)
        #expect(model.announced.contains("Type your phone number, then Enter. q quits."))
        #expect(model.handle(.line("")) == [.redraw])
        let effects = model.handle(.line("+1 415 555 0100"))
        #expect(effects == [.updateProfile(ProfileEntries(model.form))])
        #expect(model.announced.contains("Type your name, then Enter; Enter alone keeps Quentin 2. q quits."))
        #expect(model.handle(.line("")).isEmpty)
        #expect(model.handle(.line("")) == effects)
        #expect(model.handle(.line("1")) == [.signOut])
        #expect(model.handle(.line("q")) == [.quit(0)])
    }
}
