// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The check that no file gets the keys of TLS connections.
enum TLSCheckup {
    /// Returns a finding if libcurl writes the keys to a file, as browsers do; nil if it does not.
    static func finding() -> Finding? {
        guard ProcessInfo.processInfo.environment["SSLKEYLOGFILE"]?.isEmpty == false else { return nil }
        // The path may name the user.
        return Finding(
            subject: "TLS",
            sentence: "SSLKEYLOGFILE is set: whoever reads that file and records the traffic can read the tokens.",
            advice: "Unset it, except to debug."
        )
    }
}
