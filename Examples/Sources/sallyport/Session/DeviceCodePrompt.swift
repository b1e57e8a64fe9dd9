// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import TerminalOutput

/// The instructions for a sign-in on another device.
enum DeviceCodePrompt {
    static func text(_ device: DeviceAuthorization, on screen: TerminalScreen?) -> String {
        let code = code(of: device, on: screen)
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

    /// Returns the QR code of the address with the code, or nil if there is no such address or it doesn't fit.
    private static func code(of device: DeviceAuthorization, on screen: TerminalScreen?) -> String? {
        guard let screen, screen.takesBlocks, let address = device.verificationURIComplete,
            let code = QRCode(address), code.width <= screen.columns
        else { return nil }
        return code.lines(screen.takesColours ? .colours : .blocks).joined(separator: "\n")
    }
}
