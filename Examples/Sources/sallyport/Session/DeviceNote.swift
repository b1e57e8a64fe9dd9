import OpenIDConnect
import TerminalQRCode

/// What a person reads who signs in on another device.
enum DeviceNote {
    static func text(_ device: DeviceAuthorization, on screen: TerminalScreen?) -> String {
        let code = code(of: device, on: screen)
        // RFC 8628, 3.3.1: the code is shown also where it is scanned, so that the person sees that it is the same.
        let advice =
            code == nil
            ? "Open this address on any device, and type the code there:"
            : """
            Scan this with a phone, and compare the code that it shows; or open this address on any device,
            and type the code there:
            """
        return """
            \(code.map { $0 + "\n\n" } ?? "")\(advice)

                \(device.verificationURL)
                \(device.userCode)

            Waiting until that is done.
            """
    }

    /// The address with the code in it, to be scanned; nil where there is none, or it can't be shown whole.
    private static func code(of device: DeviceAuthorization, on screen: TerminalScreen?) -> String? {
        guard let screen, screen.takesBlocks, let address = device.completeVerificationURL,
            let code = QRCode(address), code.width <= screen.columns
        else { return nil }
        return code.lines(screen.takesColours ? .colours : .blocks).joined(separator: "\n")
    }
}
