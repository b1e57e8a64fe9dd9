// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// A sheet as the app requested it.
public struct StandInSheet: Sendable {
    /// The page that the sheet shows.
    public let url: String
    /// The scheme or page that ends the sheet.
    public let callback: String
    /// Whether the browser forgets the user afterwards.
    public let isEphemeral: Bool
}

/// The browser behind the sheets, controlled by a test; the system's module has no such type.
public enum StandInBrowser {
    private struct State {
        var isThere = true
        var answer: (@Sendable (StandInSheet) -> Result<URL, any Error>?)?
        var sheets: [StandInSheet] = []
        var isOpen = false
    }

    private static let state = Mutex(State())

    /// Starts over with a response for every sheet; a nil response leaves the sheet open.
    public static func use(
        isThere: Bool = true,
        _ answer: @escaping @Sendable (StandInSheet) -> Result<URL, any Error>?
    ) {
        state.withLock { $0 = State(isThere: isThere, answer: answer) }
    }

    /// All sheets that were shown.
    public static var sheets: [StandInSheet] { state.withLock { $0.sheets } }
    /// Whether a sheet is open.
    public static var isOpen: Bool { state.withLock { $0.isOpen } }

    static func show(_ sheet: StandInSheet, _ end: @escaping @Sendable (URL?, (any Error)?) -> Void) -> Bool {
        let (isThere, answer) = state.withLock { state in
            if state.isThere {
                state.sheets.append(sheet)
                state.isOpen = true
            }
            return (state.isThere, state.answer)
        }
        guard isThere else { return false }
        // Not on the main thread: the system sometimes calls back elsewhere, too.
        DispatchQueue.global().async {
            guard let result = answer?(sheet) else { return }
            close()
            switch result {
            case .success(let url): end(url, nil)
            case .failure(let error): end(nil, error)
            }
        }
        return true
    }

    static func close() {
        state.withLock { $0.isOpen = false }
    }
}
