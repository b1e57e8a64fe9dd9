#if canImport(Darwin)
extension UserFolder {
    /// Where state is kept in a home folder.
    ///
    /// An app's container takes nothing new at its top, and this folder in it is the app's to write.
    static let stateInHome = "Library/Application Support"
    /// Where data are kept in a home folder.
    static let dataInHome = stateInHome
}
#else
extension UserFolder {
    /// Where state is kept in a home folder.
    ///
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    static let stateInHome = ".local/state"
    /// Where data are kept in a home folder.
    static let dataInHome = ".local/share"
}
#endif
