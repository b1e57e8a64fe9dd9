// SPDX-License-Identifier: Apache-2.0

extension Layout {
    /// The content of the selected tab.
    var content: [LayoutRow] {
        switch model.selectedTab {
        case .home: home
        case .activity: list(of: "Your pickups")
        case .jobs: list(of: "Jobs nearby")
        case .earnings: earnings
        case .settings: settings
        }
    }

    private var home: [LayoutRow] {
        heading(model.greeting) + leading(model.pickupsSentence) + [.blank] + controls
    }

    private var earnings: [LayoutRow] {
        heading("Earnings") + leading(model.earningsSentence) + [.blank] + controls
    }

    private var settings: [LayoutRow] {
        var lines = ["Signed in as \(model.facts.name ?? "an unnamed user")"]
        if let contact = model.facts.contact { lines.append(contact) }
        if let role = model.roleSentence { lines.append(role) }
        lines.append(model.placeSentence)
        if model.facts.isDeviceRegistered { lines.append(ShellModel.deviceSentence) }
        return heading("Settings") + lines.flatMap { leading($0) } + [.blank] + controls
    }

    private func list(of title: String) -> [LayoutRow] {
        // The driver's first tab.
        let greeting = model.selectedTab == .jobs ? leading(model.greeting) + [.blank] : []
        let heading = greeting + heading(title)
        if let sentence = model.emptyListSentence { return heading + leading(sentence) + [.blank] + controls }
        let rows = (model.jobs ?? []).dropFirst(model.scroll).prefix(size.rows).map { job in
            let words = [job.title, job.address, job.status].compactMap { ShownText.of($0, limit: 100) }
            return LayoutRow(words.joined(separator: " · "), .plain, .text, .leading)
        }
        return heading + rows + [.blank] + controls
    }

    private func heading(_ text: String) -> [LayoutRow] {
        rows(text, .title, .essential, .leading) + [.blank]
    }

    private func leading(_ text: String) -> [LayoutRow] { rows(text, .plain, .text, .leading) }

    /// The buttons of the tab, or the progress indicator.
    private var controls: [LayoutRow] {
        if model.facts.isLoading {
            var row = waiting("One moment")
            row.alignment = .leading
            return [row]
        }
        var row = buttons
        row.alignment = .leading
        // The other buttons have a key too, but signing out has no key.
        row.importance = model.selectedTab == .settings ? .essential : .hint
        return [row]
    }
}
