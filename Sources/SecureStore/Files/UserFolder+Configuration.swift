#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UserFolder {
    /// Returns an app's settings folder: `$XDG_CONFIG_HOME/<app>`, by default `.config/<app>` in the home folder.
    ///
    /// The home folder is the one that `HOME` names, or else the one in the system's user database.
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    ///
    /// - Parameter app: The app's name.
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    static func configuration(of app: StoreService) throws(SecureStoreError) -> String {
        if let named = unsafe getenv("XDG_CONFIG_HOME").map({ unsafe String(cString: $0) }), named.hasPrefix("/") {
            return "\(named)/\(app.name)"
        }
        guard let home = homeOfEnvironment() ?? homeOfUser() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/.config/\(app.name)"
    }
}
