// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The instructions for a sign-in on another device.
enum DeviceCodePrompt {
    static func text(_ device: DeviceAuthorization, on screen: TerminalScreen?) -> String {
        let code = screen.flatMap { screen in
            device.verificationURIComplete.flatMap { QRCode.text(of: $0, on: screen) }
        }
        // RFC 8628, 3.3.1: the code is shown beside the QR code too, so that the user can compare it.
        let advice =
            code == nil
            ? "Open this address on any device, and type the code there:"
            : """
            Scan this with a phone, and compare the code that it shows; or open this address on any device,
            and type the code there:
            """
        return """
            \(code.map { $0 + "\n\n" } ?? "")\(advice)

                \(device.verificationURI)
                \(device.userCode)

            Waiting for the sign-in.
            """
    }
}
