extension Layout {
    /// What the tab that shows holds.
    var content: [LayoutRow] {
        switch model.selectedTab {
        case .home: home
        case .activity: list(of: "Your pickups", none: "Nothing booked yet. What you book shows here.")
        case .jobs: list(of: "Jobs nearby", none: "No jobs nearby now. New ones show here.")
        case .earnings: earnings
        case .settings: settings
        }
    }

    private var home: [LayoutRow] {
        let greeting = model.facts.name.map { "Hello, \($0)." } ?? "Hello."
        let state =
            switch model.jobs?.count(where: { $0.status == "open" }) {
            case nil: "Your pickups show once they have been loaded."
            case 0: "Nothing is on its way."
            case 1: "One pickup is open."
            case let count?: "\(count) pickups are open."
            }
        return heading(greeting) + leading(state) + [.blank] + controls
    }

    private var earnings: [LayoutRow] {
        let done = model.jobs.map { jobs in jobs.count { $0.status == "done" } }
        let state =
            switch done {
            case nil: "Your earnings show once they have been loaded."
            case 0: "No job done yet. What you earn shows here."
            case 1: "One job done."
            case let count?: "\(count) jobs done."
            }
        return heading("Earnings") + leading(state) + [.blank] + controls
    }

    private var settings: [LayoutRow] {
        var lines = ["Signed in as \(model.facts.name ?? "somebody without a name")"]
        if let contact = model.facts.contact { lines.append(contact) }
        lines.append(model.place)
        return heading("Settings") + lines.flatMap { leading($0) } + [.blank] + controls
    }

    private func list(of title: String, none: String) -> [LayoutRow] {
        guard let jobs = model.jobs else { return heading(title) + leading("Not loaded yet.") + [.blank] + controls }
        guard !jobs.isEmpty else { return heading(title) + leading(none) + [.blank] + controls }
        let rows = jobs.dropFirst(model.scroll).prefix(size.rows).map { job in
            let words = [job.title, job.address, job.status].compactMap { ShownText.of($0, limit: 100) }
            return LayoutRow(words.joined(separator: " · "), .plain, .text, .leading)
        }
        return heading(title) + rows + [.blank] + controls
    }

    private func heading(_ text: String) -> [LayoutRow] {
        rows(text, .title, .essential, .leading) + [.blank]
    }

    private func leading(_ text: String) -> [LayoutRow] { rows(text, .plain, .text, .leading) }

    /// The buttons of the tab, or what is waited for.
    private var controls: [LayoutRow] {
        if model.facts.isLoading {
            var row = waiting("One moment")
            row.alignment = .leading
            return [row]
        }
        var row = buttons
        row.alignment = .leading
        // Ways that a key has too; signing out has none.
        row.importance = model.selectedTab == .settings ? .essential : .hint
        return [row]
    }
}
