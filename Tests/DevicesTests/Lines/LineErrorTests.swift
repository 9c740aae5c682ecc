import Hardware
import Testing

@Suite("What is said about a GPIO line that cannot be had")
struct LineErrorTests {
    @Test("names the line, the trouble and the remedy", arguments: wordings)
    func wording(error: LineError, text: String) {
        #expect(error.description == text)
    }

    private static let line = LineReference(chip: "pinctrl-bcm2711", line: .name("GPIO27"))

    static let wordings: [(LineError, String)] = [
        (
            .noChip(line, present: ["pinctrl-rp1", "gpio-brcmstb@107d508500"]),
            "GPIO pinctrl-bcm2711 GPIO27: no chip has that label; there are pinctrl-rp1, gpio-brcmstb@107d508500. "
                + "Correct the board file."
        ),
        (
            .noChip(line, present: []),
            "GPIO pinctrl-bcm2711 GPIO27: there is no GPIO chip at all. "
                + "Check that /dev/gpiochip0 exists, or take the line out of the board file."
        ),
        (
            .noLine(LineReference(chip: "pinctrl-bcm2711", line: .offset(99))),
            "GPIO pinctrl-bcm2711 line 99: the chip has no such line. See what `gpioinfo` lists, and correct the board file."
        ),
        (
            .busy(line, consumer: "spi0 CS0", program: nil),
            "GPIO pinctrl-bcm2711 GPIO27: is held by `spi0 CS0`. End that, or choose another line in the board file."
        ),
        (
            .busy(line, consumer: "gpioset", program: "gpioset (process 812)"),
            "GPIO pinctrl-bcm2711 GPIO27: is held by `gpioset`, the program gpioset (process 812). "
                + "End that, or choose another line in the board file."
        ),
        (
            .busy(line, consumer: "", program: nil),
            "GPIO pinctrl-bcm2711 GPIO27: is held by somebody who gives no name. "
                + "End that, or choose another line in the board file."
        ),
        (
            .forbidden(line, device: "/dev/gpiochip0"),
            "GPIO pinctrl-bcm2711 GPIO27: no permission for /dev/gpiochip0. "
                + "Install trackerd's udev rules, or add its user to the group `gpio`."
        ),
        (
            .noEdges(line),
            "GPIO pinctrl-bcm2711 GPIO27: raises no interrupts, so that its changes would be missed. Choose another line."
        ),
        (
            .refused(line, operation: "setting it", cause: "No such device"),
            "GPIO pinctrl-bcm2711 GPIO27: setting it is refused by the kernel (No such device). "
                + "See what `dmesg` says about the chip."
        ),
    ]
}
