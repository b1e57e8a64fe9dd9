// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The result of one check.
struct Finding: Sendable {
    /// The subject of the check.
    let subject: String
    /// The result in one sentence.
    let sentence: String
    /// The advice for a problem, and the command that solves it.
    var advice: String?
    var command: String?
    /// The exit status that the result causes.
    var status = ExitStatus.done

    /// The result as text: `ok` or `no`, the subject and the sentence, then the advice.
    var text: String {
        let mark = status == .done ? "ok" : "no"
        let name = subject.padding(to: 10)
        let lines = [advice, command.map { "    \($0)" }].compactMap(\.self).map { "              \($0)" }
        return (["\(mark)  \(name)  \(sentence)"] + lines).joined(separator: "\n")
    }

    /// The finding with `~` in place of the home folder, whose path often names the user.
    var withoutHome: Finding {
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/"), home != "/" else {
            return self
        }
        let shortened = { (text: String) in
            // The shell expands it only before the quotation mark.
            text.replacing("'\(home)/", with: "~/'").replacing("\(home)/", with: "~/")
        }
        return Finding(
            subject: subject,
            sentence: shortened(sentence),
            advice: advice.map(shortened),
            command: command.map(shortened),
            status: status
        )
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
