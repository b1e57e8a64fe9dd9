// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
extension UserFolder {
    /// The path of the state folder in a home folder.
    ///
    /// An app can't create a folder at the top of its container, but it can write to this one.
    static let stateInHome = "Library/Application Support"
    /// The path of the data folder in a home folder.
    static let dataInHome = stateInHome
    /// The path of the folder of apps' settings in a home folder.
    static let configurationInHome = stateInHome
}
#else
extension UserFolder {
    /// The path of the state folder in a home folder.
    ///
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    static let stateInHome = ".local/state"
    /// The path of the data folder in a home folder.
    static let dataInHome = ".local/share"
    /// The path of the folder of apps' settings in a home folder.
    static let configurationInHome = ".config"
}
#endif
