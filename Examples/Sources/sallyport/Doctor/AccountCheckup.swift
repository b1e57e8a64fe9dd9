// SPDX-License-Identifier: Apache-2.0

/// The check of the files that name accounts for `sallyport login NAME`.
enum AccountCheckup {
    /// Returns a finding for each file.
    static func findings() -> [Finding] {
        let system = NamedAccount.Folder.system
        return findings(in: system) + (NamedAccount.Folder.user.map { findings(in: $0, behind: system) } ?? [])
    }

    /// - Parameter other: The folder whose files are used for the names that both have.
    private static func findings(
        in folder: NamedAccount.Folder,
        behind other: NamedAccount.Folder? = nil
    ) -> [Finding] {
        folder.names.map { name in
            if other?.has(name) == true { return Finding(subject: "Account", sentence: folder.shadowNote(name)) }
            do {
                _ = try folder.account(name)
                return Finding(subject: "Account", sentence: "The file \(folder.path(of: name)) can be used.")
            } catch {
                let failure = Failure(error) ?? Failure(.failed, "An account can't be read.", "Check its file.")
                return Finding(subject: "Account", failure)
            }
        }
    }
}
