// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import Foundation
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The effects of events on the shell")
struct ShellModelTests {
    @Test func `arrows and letters turn the pages, and stop at both ends`() {
        var model = ShellModel.atOnboarding
        for (key, index) in [(Key.left, 0), (.right, 1), (.character("n"), 2), (.right, 2), (.character("b"), 1)] {
            #expect(model.handle(.key(key)).isEmpty)
            #expect(model.onboarding.index == index)
        }
    }

    @Test(arguments: [[Key.character("s")], [.right, .right, .enter], [.right, .right, .character("g")]])
    func `skipping and getting started end the onboarding once`(keys: [Key]) {
        var model = ShellModel.atOnboarding
        let effects = keys.flatMap { model.handle(.key($0)) }
        #expect(effects == [.completeOnboarding])
        #expect(model.flow.screen == .signIn)
    }

    @Test func `Tab moves to another button, and Enter presses it`() {
        var model = ShellModel.atOnboarding
        #expect(model.focus == .next)
        _ = model.handle(.key(.tab))
        #expect(model.focus == .skip)
        #expect(model.handle(.key(.enter)) == [.completeOnboarding])
    }

    @Test(arguments: [(60, 40, 1), (40, 60, 0), (60, 58, 1), (10, 10, 0)])
    func `a swipe or a click turns the page`(down: Int, up: Int, index: Int) {
        var model = ShellModel.atOnboarding
        let drawing = Layout.drawing(of: model, in: ScreenSize(columns: 80, rows: 24))
        _ = model.handle(.mouse(MouseTouch(kind: .down, position: Position(column: down, row: 1))))
        _ = model.release(MouseTouch(kind: .up, position: Position(column: up, row: 1)), on: drawing)
        #expect(model.onboarding.index == index)
    }

    @Test func `a sign-in starts once and can be cancelled`() {
        var model = ShellModel.atSignIn
        #expect(model.handle(.key(.enter)) == [.signIn])
        #expect(model.actions == [.cancelSignIn])
        #expect(model.handle(.key(.character("s"))).isEmpty)
        #expect(model.handle(.key(.escape)) == [.cancelSignIn])
        _ = model.handle(.signInEnded)
        #expect(model.actions == [.signIn])
    }

    @Test func `the main screen loads the jobs when it appears and is reset for the next user`() {
        var model = ShellModel.atSignIn
        #expect(model.handle(.facts(ShellFacts(state: .signedIn(ShellModel.ada, .online)))) == [.refresh])
        _ = model.handle(.jobs(.loaded([])))
        _ = model.handle(.facts(ShellFacts(state: .signedOut(.userSignedOut))))
        #expect(model.flow.screen == .signIn)
        #expect(model.tab == 0)
        #expect(model.jobs == nil)
    }

    @Test func `Enter does not sign out unless the user has moved to that button`() {
        var model = ShellModel.atMain
        _ = model.handle(.jobs(.loaded([])))
        _ = model.handle(.key(.character("3")))
        #expect(model.focus == .refresh)
        #expect(model.handle(.key(.enter)) == [.refresh])
        _ = model.handle(.key(.tab))
        #expect(model.handle(.key(.enter)) == [.signOut])
        var offline = ShellModel.atOffline
        _ = offline.handle(.key(.character("3")))
        #expect(offline.handle(.key(.character(" "))) == [.retry])
    }

    @Test(arguments: [(0, 0, [ShellEffect.signOut]), (2, 0, [.signOut]), (0, 12, []), (-3, 0, []), (0, 1, [])])
    func `a button is pressed only if the mouse is released on it`(
        columns: Int,
        rows: Int,
        effects: [ShellEffect]
    ) throws {
        var model = ShellModel.atMain
        _ = model.handle(.key(.character("3")))
        let drawing = Layout.drawing(of: model, in: ScreenSize(columns: 80, rows: 24))
        let button = try #require(drawing.targets.first { $0.action == .signOut })
        let end = Position(column: button.position.column + columns, row: button.position.row + rows)
        _ = model.handle(.mouse(MouseTouch(kind: .down, position: button.position)))
        #expect(model.release(MouseTouch(kind: .up, position: end), on: drawing) == effects)
        #expect(model.selectedTab == .settings)
    }

    @Test func `an offline shell retries only if the user asks`() {
        var model = ShellModel.atOffline
        #expect(model.handle(.checkDue).isEmpty)
        #expect(model.handle(.key(.character("r"))) == [.retry])
        var online = ShellModel.atMain
        _ = online.handle(.jobs(.loaded([])))
        #expect(online.handle(.checkDue) == [.refresh])
    }

    @Test func `the apps have their own tabs`() {
        #expect(ShellTab.tabs(of: .customer).map(\.title) == ["Home", "Activity", "Settings"])
        #expect(ShellTab.tabs(of: .driver).map(\.title) == ["Jobs", "Earnings", "Settings"])
    }

    @Test func `a response stays on the screen until the user's next action or a change of the session`() {
        var model = ShellModel.atOffline
        _ = model.handle(.key(.character("r")))
        _ = model.handle(.retryEnded(model.facts))
        #expect(model.text().contains("Still offline."))
        _ = model.handle(.tick)
        _ = model.handle(.facts(model.facts))
        #expect(model.text().contains("Still offline."))
        var other = model
        _ = other.handle(.key(.right))
        #expect(!other.text().contains("Still offline."))
        _ = model.handle(.facts(ShellModel.atMain.facts))
        #expect(!model.text().contains("Still offline."))
        var locked = ShellModel.atLocked
        _ = locked.handle(.retryEnded(locked.facts))
        #expect(locked.text().contains("Still locked."))
    }
}
