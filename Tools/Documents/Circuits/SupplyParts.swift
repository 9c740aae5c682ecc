extension BillOfMaterials {
    /// The parts between the battery and the board's 5 V.
    static let supply = [
        Row(
            names: ["F1"], value: "2, 3 or 5 A",
            choice: "Blade fuse and holder, at most 20 cm from the battery; the value is in the table of boards",
            reason:
                "The smallest blade fuse (ISO 8820-3) of at least 1.25 times the highest input current, such as 2.5 A · 5 V / 80 % / 9 V = 1.7 A. F1 protects the wire, and opens if D1 fails as a short circuit."
        ),
        Row(
            names: ["D1"], value: "SM8S36A", choice: "TVS diode, one direction, DO-218AB (Vishay)",
            reason:
                "Does not conduct up to 36 V, breaks down at 40.0 to 44.2 V, and clamps 114 A at 58.1 V (data sheet 88387). A 24 V vehicle may run at up to 32 V (ISO 16750-2, table 2)."
        ),
        Row(
            names: ["D2"], value: "SB560", choice: "Schottky diode 60 V, 5 A, at most 0.67 V at 5 A (data sheet)",
            reason:
                "Blocks a reversed battery and negative pulses, and keeps C1 from discharging into the vehicle. D1 limits the voltage at D2 to 46 V, and F1 limits its current to 5 A."
        ),
        Row(
            names: ["C1"], value: "100 µF, 63 V", choice: "Electrolytic capacitor, 105 °C",
            reason:
                "Damps the voltage peak that the wire's inductance causes when you insert the fuse. 63 V is above the 46 V to which D1 clamps."
        ),
        Row(
            names: ["U2"], value: "5 V converter",
            choice:
                "Input 5.5 to 50 V, 5.5 A: Pololu D36V50F5 (product page 4091), or a converter with at least these ratings",
            reason:
                "50 V is above the 46 V to which D1 clamps. A converter of any brand with these ratings is suitable."),
        Row(
            names: ["C2", "C3"], value: "25 F, 2.7 V",
            choice: "Double-layer capacitors, internal resistance at most 40 mΩ each",
            reason:
                "Both in series have 12.5 F, 5.4 V and 80 mΩ. The table of boards states how long they supply each board."
        ),
        Row(
            names: ["R2", "R3", "R6", "R8"], value: "10 kΩ", choice: "0.25 W, 1 %",
            reason:
                "R2 and R3 keep the voltages of C2 and C3 equal: 2.5 V / 10 kΩ = 0.25 mA. R6 and R8 are the lower resistors of the dividers."
        ),
        Row(
            names: ["R1"], value: "10 Ω, 5 W", choice: "Wire-wound resistor",
            reason:
                "Limits the charging current of C2 and C3 to 5 V / 10 Ω = 0.5 A (2.5 W), so that the converter can start. The time constant is 10 Ω · 12.5 F = 125 s, so the capacitors are full after ten minutes."
        ),
        Row(
            names: ["U3"], value: "LM66100",
            choice: "Ideal diode 1.5 A on an adapter board; two in parallel for a Raspberry Pi 5",
            reason: "79 mΩ at 5 V (data sheet SLVSEZ8). With its pin CE on VOUT, U3 conducts only from C2 to the board."
        ),
    ]
}
