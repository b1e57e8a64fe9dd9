// SPDX-License-Identifier: Apache-2.0

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

    /// The finding without the home folder and the folders that stand for it, whose paths often name the user.
    var withoutHome: Finding {
        Finding(
            subject: subject,
            sentence: PrivatePath.hidden(in: sentence),
            advice: advice.map(PrivatePath.hidden),
            command: command.map(PrivatePath.hidden),
            status: status
        )
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension Finding {
    /// Creates the finding of a check that failed.
    init(subject: String, _ failure: Failure) {
        self.init(subject: subject, sentence: failure.message, advice: failure.advice, status: failure.status)
    }
}
