extension BillOfMaterials {
    static let supply = [
        Row(
            names: ["F1"], value: "2, 3 or 5 A",
            choice: "Blade fuse with holder; value by [board](supply.md)",
            reason:
                "The smallest blade fuse (ISO 8820-3) of at least 1.25 times the input current, such as 2.5 A · 5 V / 80 % / 9 V = 1.7 A."
        ),
        Row(
            names: ["D1"], value: "SM8S36A", choice: "Unidirectional TVS, DO-218AB (Vishay)",
            reason:
                "Stands off 36 V (a 24 V vehicle reaches 32 V: ISO 16750-2, table 2), breaks down at 40.0 to 44.2 V, clamps 114 A at 58.1 V (data sheet 88387)."
        ),
        Row(
            names: ["D2"], value: "SB560", choice: "Schottky 60 V, 5 A, at most 0.67 V at 5 A (data sheet)",
            reason:
                "Blocks reversed polarity and negative pulses. D1 limits it to 46 V, F1 to 5 A."
        ),
        Row(
            names: ["C1"], value: "100 µF, 63 V", choice: "Electrolytic, 105 °C",
            reason:
                "Damps the peak when the fuse is inserted; D1 clamps at 46 V."
        ),
        Row(
            names: ["U2"], value: "5 V converter",
            choice:
                "Pololu D36V50F5 (product page 4091), or any with an input of 5.5 to 50 V and 5.5 A",
            reason:
                "50 V is above D1's 46 V."),
        Row(
            names: ["C2", "C3"], value: "25 F, 2.7 V",
            choice: "Double-layer, at most 40 mΩ each",
            reason:
                "In series 12.5 F, 5.4 V, 80 mΩ."
        ),
        Row(
            names: ["R2", "R3", "R6", "R8"], value: "10 kΩ", choice: "0.25 W, 1 %",
            reason:
                "R2 and R3 balance C2 and C3 with 0.25 mA; R6 and R8 are the lower halves of the dividers."
        ),
        Row(
            names: ["R1"], value: "10 Ω, 5 W", choice: "Wire-wound",
            reason:
                "Limits the charging current to 0.5 A (2.5 W), so that the converter can start. C2 and C3 are full after ten minutes."
        ),
        Row(
            names: ["U3"], value: "LM66100",
            choice: "Ideal diode 1.5 A on an adapter; two in parallel for a Raspberry Pi 5",
            reason: "79 mΩ at 5 V (data sheet SLVSEZ8). With CE on VOUT it conducts only from C2 to the board."
        ),
    ]
}
