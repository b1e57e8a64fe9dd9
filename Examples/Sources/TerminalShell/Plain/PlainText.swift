// SPDX-License-Identifier: Apache-2.0

import AppShell
import SecureStore
import UmuveBrands

/// A model as lines to read out, and its numbered choices, from 1.
struct PlainText: Sendable, Hashable {
    var lines: [String] = []
    var choices: [ShellAction] = []
    /// The notice, which is announced each time, even if it is unchanged.
    let notice: String?
    private let isOffline: Bool

    init(_ model: ShellModel) {
        notice = model.notice
        isOffline = model.isOffline
        switch model.flow.screen {
        case .splash: lines = ["Opening \(model.brand.name)."]
        case .onboarding: describeOnboarding(model)
        case .signIn: describeSignIn(model)
        case .registration:
            lines = ["\(model.brand.name): registration", model.registrationSentence]
            lines += model.focusedField.flatMap { model.form.fields[$0].remark }.map { [$0] } ?? []
        case .locked(let reason):
            let sentences = LockedSentences(reason)
            lines = [sentences.lead, sentences.reason] + (sentences.advice.map { [$0] } ?? [])
        case .main(let since):
            lines = since.map { ["Offline since \(ClockTime.text(of: $0)). Retrying automatically."] } ?? []
            describeTab(model)
        }
        lines = lines.compactMap { ShownText.of($0, limit: 4_096) }
        if let message = model.facts.errorMessage.flatMap({ ShownText.of($0) }) { lines.append("Error: \(message)") }
        if let prompt = model.entryPrompt { lines.append(prompt) }
        let isWaiting = model.facts.isLoading && !model.isSigningIn
        // The default action comes first.
        choices = isWaiting ? [] : model.actions.reversed()
        // The screen asks for its values one by one.
        if !model.form.fields.isEmpty { choices = choices.filter { [.cancelSignIn, .signOut].contains($0) } }
        if model.isMain, !isWaiting { choices += model.tabs.indices.filter { $0 != model.tab }.map { .tab($0) } }
        if !isWaiting { choices.append(.quit) }
    }

    private mutating func describeOnboarding(_ model: ShellModel) {
        guard let page = model.onboarding.page else { return }
        lines = ["Page \(model.onboarding.index + 1) of \(model.onboarding.pages.count): \(page.title)", page.text]
    }

    private mutating func describeSignIn(_ model: ShellModel) {
        lines = ["\(model.brand.name): sign in"]
        guard model.isSigningIn else {
            lines += model.signedOutSentence.map { [$0] } ?? []
            return
        }
        lines.append("\(model.signingInSentence).")
        if let address = model.address { lines += ["No browser? Open on this machine:", address] }
    }

    private mutating func describeTab(_ model: ShellModel) {
        let name = model.facts.name ?? "an unnamed user"
        switch model.selectedTab {
        case .home: lines += ["Home. \(model.greeting)"] + [model.pickupsSentence]
        case .earnings: lines += ["Earnings. \(name)."] + [model.earningsSentence]
        case .activity, .jobs:
            lines += ["\(model.selectedTab.title). \(model.selectedTab == .jobs ? model.greeting : name + ".")"]
            lines += (model.jobs ?? []).map { "\($0.title), \($0.address), \($0.status)" }
            lines += model.emptyListSentence.map { [$0] } ?? []
        case .settings:
            lines += ["Settings. Signed in as \(name)."]
            lines += model.facts.contact.map { [$0] } ?? []
            lines += model.roleSentence.map { [$0] } ?? []
            lines.append(model.placeSentence)
            if model.facts.isDeviceRegistered { lines.append(ShellModel.deviceSentence) }
            return
        }
        if model.haveJobsFailed { lines.append(model.jobsFailure) }
    }

    /// Returns the action of a typed line, or nil if it has no meaning.
    func choice(_ line: String) -> ShellAction? {
        let word = line.filter { !$0.isWhitespace }
        if word.lowercased().hasPrefix("q") { return .quit }
        return numberedChoice(word)
    }

    /// Returns the action of a typed number, or nil if it is no number of a choice.
    func numberedChoice(_ line: String) -> ShellAction? {
        guard let number = Int(line.filter { !$0.isWhitespace }), choices.indices.contains(number - 1) else {
            return nil
        }
        return choices[number - 1]
    }

    /// Returns the lines to read out after another text: the new lines, then the choices if they have changed.
    func announcement(after before: PlainText?, with titles: (ShellAction) -> String) -> [String] {
        var told = before?.isOffline == true && !isOffline ? ["Online again."] : []
        told += notice.map { [$0] } ?? []
        told += lines.filter { $0 != notice && before?.lines.contains($0) != true }
        if before?.choices != choices, choices.count > 1 {
            told += choices.enumerated().map { "\($0.offset + 1). \(titles($0.element))" }
        }
        return told
    }
}
