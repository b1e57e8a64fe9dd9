// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TerminalOutput

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The check that this user alone can use the tool's folders, and can lock files there.
enum FolderCheckup {
    /// A path that keeps the tool from using a folder, and the remedy.
    struct Problem {
        /// The path, as an error of a store has it in its detail.
        let path: String
        let sentence: String
        let advice: String
        var command: String?
    }

    /// Returns a finding for each problem, or one finding if there is none.
    static func findings() -> [Finding] {
        let problems = problems
        guard !problems.isEmpty else {
            return [Finding(subject: "Folders", sentence: "Only you can use the tool's folders.")]
        }
        return problems.map { problem in
            Finding(
                subject: "Folders",
                sentence: problem.sentence,
                advice: problem.advice,
                command: problem.command,
                status: .storeUnavailable
            )
        }
    }

    /// Returns the problem of a path that an error of a store names.
    static func problem(in detail: String?) -> Problem? {
        detail.flatMap { detail in problems.first { $0.path != "/" && detail.contains($0.path) } }
    }

    private static var problems: [Problem] {
        let (homes, named) = (homes, ProcessInfo.processInfo.environment["HOME"] ?? "")
        guard let home = homes.first, homes.contains(named) || variable("XDG_STATE_HOME") != nil else {
            // Without the path, which the report would show as `~`.
            let sentence = named.isEmpty ? "HOME is not set." : "HOME does not name a folder of yours."
            // The error of a store without a home folder names no path, but says "no home folder".
            return [Problem(path: named.isEmpty ? "no home folder" : named, sentence: sentence, advice: otherFolders)]
        }
        var paths: Set<String> = []
        return folders(home).compactMap { problem($0, closedTo: $1, home) }.filter { paths.insert($0.path).inserted }
    }

    /// The home folders that exist: that of the environment, and that of the system's user database.
    private static var homes: [String] {
        [ProcessInfo.processInfo.environment["HOME"], Machine.home].compactMap(\.self).filter { home in
            var status = stat()
            guard home.hasPrefix("/"), home != "/", unsafe stat(home, &status) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFDIR && (geteuid() != 0 || status.st_uid == 0)
        }
    }

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The folders, which may not exist, with the rights that other users must not have.
    private static func folders(_ home: String) -> [(path: String, closedTo: mode_t)] {
        let inHome = { (name: String, path: String) in "\(variable(name) ?? "\(home)/\(path)")/sallyport" }
        let state = inHome("XDG_STATE_HOME", ".local/state")
        return [
            ("\(state)/stores", 0o077), ("\(state)/profiles", 0o077), ("\(state)/profiles/sallyport", 0o077),
            // The same for every HOME, so that all programs of the user find them.
            ("\(homes.last ?? home)/.local/state/sallyport/locks", 0o077),
            (inHome("XDG_DATA_HOME", ".local/share"), 0o077), (inHome("XDG_CONFIG_HOME", ".config"), 0o002),
        ]
    }

    private static func problem(_ folder: String, closedTo bits: mode_t, _ home: String) -> Problem? {
        var (path, status) = (folder, stat())
        while unsafe lstat(path, &status) != 0, path != "/", let end = path.lastIndex(of: "/") {
            path = end == path.startIndex ? "/" : String(path[..<end])
        }
        // A folder that is missing is made when it is needed, in the nearest one that exists.
        let isMissing = path != folder
        if isMissing { _ = unsafe stat(path, &status) }
        let shown = Terminal.shown(path) ?? "A folder"
        let word = ShellWord.quoted(shown)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return Problem(path: path, sentence: "\(shown) is not a folder.", advice: "Move it away.")
        }
        let isUsable = unsafe access(path, W_OK | X_OK) == 0
        if status.st_uid != geteuid(), !isMissing || !isUsable {
            return foreign(path, status, home)
        }
        guard isMissing || status.st_mode & bits == 0 else {
            let sentence = "Other users may use \(shown) (mode \(octal(status)))."
            return Problem(path: path, sentence: sentence, advice: "Close it to them.", command: "chmod 700 \(word)")
        }
        guard isUsable else {
            if errno == EROFS {
                return Problem(path: path, sentence: "\(shown) is on a read-only file system.", advice: otherFolders)
            }
            let sentence = "You may not write to \(shown) (mode \(octal(status)))."
            return Problem(path: path, sentence: sentence, advice: "Allow it.", command: "chmod u+rwx \(word)")
        }
        guard locks(path) else {
            return Problem(path: path, sentence: "The file system of \(shown) has no locks.", advice: otherFolders)
        }
        return isMissing ? nil : foreignEntry(of: path, home)
    }

    /// Returns the problem of a file that another user owns, such as root after `sudo`.
    private static func foreignEntry(of folder: String, _ home: String) -> Problem? {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            let path = "\(folder)/\(name)"
            if unsafe lstat(path, &status) == 0, status.st_uid != geteuid() { return foreign(path, status, home) }
        }
        return nil
    }

    private static func foreign(_ path: String, _ status: stat, _ home: String) -> Problem {
        let shown = Terminal.shown(path) ?? "A folder"
        let owner = status.st_uid == 0 ? "root" : "the user with the ID \(status.st_uid)"
        let sentence = "\(shown) belongs to \(owner)."
        // Another user's folder elsewhere is rightly theirs.
        // A path that can't be shown whole must not become another one's.
        guard path.hasPrefix(home + "/"), shown == path else {
            return Problem(path: path, sentence: sentence, advice: otherFolders)
        }
        return Problem(
            path: path,
            sentence: sentence,
            advice: "Make it yours again, or run the tool as that user.",
            command: "sudo chown -R \"$(id -u)\" \(ShellWord.quoted(shown))"
        )
    }

    private static let otherFolders =
        "Set HOME, or XDG_STATE_HOME, XDG_DATA_HOME and XDG_CONFIG_HOME, to folders of yours on a local disk."

    private static func octal(_ status: stat) -> String { String(status.st_mode & 0o777, radix: 8) }

    /// Whether files in a folder can be locked; the folder itself shows it, and nothing waits for its lock.
    private static func locks(_ folder: String) -> Bool {
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) == 0 || ![ENOLCK, ENOSYS, EOPNOTSUPP].contains(errno)
    }
}
