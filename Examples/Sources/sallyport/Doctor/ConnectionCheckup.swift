// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The check of the variables that change the way to servers; their values may hold a password or the user's name.
enum ConnectionCheckup {
    /// Returns a finding for each proxy, for other certificate authorities, and for a file that gets the keys of TLS.
    static func findings() -> [Finding] {
        let set = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        let proxies = ["https_proxy", "http_proxy", "all_proxy"].flatMap { [$0.uppercased(), $0] }.filter {
            set[$0] != nil
        }
        let exceptions = ["NO_PROXY", "no_proxy"].first { set[$0] != nil }
        var findings: [Finding] = []
        if !proxies.isEmpty {
            let names = proxies.joined(separator: ", ")
            let direct = exceptions.map { ", except to the servers of \($0)" } ?? ""
            findings.append(Finding(subject: "Proxy", sentence: "Requests go through the proxy of \(names)\(direct)."))
        }
        if set["SSL_CERT_FILE"] != nil {
            let sentence = "SSL_CERT_FILE replaces the system's certificate authorities, unless --ca-file is given."
            findings.append(Finding(subject: "TLS", sentence: sentence))
        }
        // libcurl writes the keys to that file, as browsers do.
        if set["SSLKEYLOGFILE"] != nil {
            findings.append(
                Finding(
                    subject: "TLS",
                    sentence:
                        "SSLKEYLOGFILE is set: whoever reads that file and records the traffic can read the tokens.",
                    advice: "Unset it, except to debug."
                )
            )
        }
        return findings
    }
}
