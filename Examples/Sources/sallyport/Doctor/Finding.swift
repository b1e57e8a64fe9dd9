/// One thing that was looked at.
struct Finding {
    /// What.
    let subject: String
    /// How it is, in one sentence.
    let sentence: String
    /// What to do about it, and the command that does it.
    var advice: String?
    var command: String?
    /// How the tool ends because of it.
    var status = ExitStatus.done

    /// `ok` or `no`, the subject, and below it what to do.
    var text: String {
        let mark = status == .done ? "ok" : "no"
        let name = subject.padding(to: 10)
        let lines = [advice, command.map { "    \($0)" }].compactMap(\.self).map { "              \($0)" }
        return (["\(mark)  \(name)  \(sentence)"] + lines).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
