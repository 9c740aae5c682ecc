extension BillOfMaterials {
    /// The parts of the inputs: ignition, power failure, battery, motion.
    static let inputs = [
        Row(
            names: ["F2"], value: "1 A", choice: "Fuse in the wire of terminal 15",
            reason: "R4 limits the current to (32 V − 1.2 V) / 2.2 kΩ = 14 mA; the fuse protects the wire before R4."),
        Row(
            names: ["R4"], value: "2.2 kΩ, 2 W", choice: "Metal oxide resistor",
            reason:
                "At 28 V: (28 V − 1.2 V) / 2.2 kΩ = 12 mA, 0.33 W. During a load dump: (58 V − 1.2 V) / 2.2 kΩ = 26 mA, 1.5 W. The LED of a PC817 tolerates 50 mA (data sheet)."
        ),
        Row(
            names: ["D3"], value: "1N4148",
            choice: "Diode, antiparallel to the LED of U4: the cathode of D3 on the anode of the LED",
            reason:
                "Carries negative pulses: 600 V / 2.2 kΩ = 0.27 A for 1 ms (ISO 7637-2, pulse 1); the LED tolerates 6 V in reverse."
        ),
        Row(
            names: ["U4"], value: "PC817", choice: "Optocoupler, transfer ratio at least 50 %",
            reason:
                "With 5 mA in the LED the transistor carries 2.5 mA; the pull-up of the board needs 3.3 V / 50 kΩ = 66 µA."
        ),
        Row(
            names: ["R5"], value: "68 or 130 kΩ", choice: "0.25 W, 1 %: 68 kΩ for 12 V, 130 kΩ for 24 V",
            reason:
                "Threshold 1.242 V · (1 + 68 / 10) = 9.7 V, or 1.242 V · (1 + 130 / 10) = 17.4 V. During a load dump the input of U5 gets 35 V / 7.8 = 4.5 V; this input tolerates 5.5 V."
        ),
        Row(
            names: ["C4"], value: "10 nF", choice: "Ceramic, 50 V",
            reason: "Filters the divider: 10 nF · 8.7 kΩ = 87 µs is much shorter than 500 ms."),
        Row(
            names: ["U5"], value: "TLV3011B",
            choice: "Comparator with open-drain output, on an adapter board (SOT-23-6)",
            reason:
                "Reference 1.242 V, supply 1.65 to 5.5 V, the inputs tolerate a voltage while the supply of U5 is off (data sheet SBOS300). With an open drain, the board's pull-up sets the high level to 3.3 V."
        ),
        Row(
            names: ["R7"], value: "20 kΩ", choice: "0.25 W, 1 %",
            reason: "Divides by 3: 58 V / 3 = 19 V, below the 26 V that U6 tolerates (data sheet SBOS448, section 6.3)."
        ),
        Row(
            names: ["U6"], value: "INA219", choice: "Breakout board; if you leave out U6, also leave out R7 and R8",
            reason:
                "The input resistance of U6, 320 kΩ, lowers the reading by 6.7 / 327 = 2 %, so `divider` is 3.06 instead of 3."
        ),
        Row(
            names: ["Q1"], value: "BSS138", choice: "N-channel MOSFET; level shifters contain it too",
            reason:
                "The gate threshold voltage is at most 1.5 V (data sheet). Q1 carries 3.3 V / 1.8 kΩ = 1.8 mA, because GPIO3 has a pull-up of 1.8 kΩ on the board."
        ),
        Row(
            names: ["R9", "R10"], value: "100 kΩ", choice: "0.25 W",
            reason:
                "Keep Q1 and U7 off while the board boots. Each resistor draws 3.3 V / 100 kΩ = 33 µA while its signal is high."
        ),
        Row(
            names: ["C5", "C6", "C7", "C8"], value: "100 nF",
            choice: "Ceramic, 16 V, next to the chip; breakout boards already have this capacitor",
            reason: "The data sheets of U1, U5, U6 and the accelerometer require it."),
        Row(
            names: ["M1"], value: "LIS3DH", choice: "Breakout board for 3.3 V with INT1",
            reason:
                "The board files expect this chip at address 0x18 (data sheet, section 6.1.1); [configuration.md](configuration.md#boards) lists the other supported chips."
        ),
    ]

    /// The parts of the receiver.
    static let receiver = [
        Row(
            names: ["U7"], value: "TPS22918",
            choice: "Load switch 5.5 V, 2 A, 52 mΩ, on an adapter board (data sheet SLVSD76)",
            reason:
                "From 1 V on, the level of the input ON is high, so a GPIO line of 3.3 V can switch U7. Connect QOD to VOUT: while U7 is off, QOD discharges the receiver's supply."
        ),
        Row(
            names: ["C9", "C10", "C11"], value: "1 µF", choice: "Ceramic, 16 V",
            reason: "The data sheets of U7 and U8 require it."),
        Row(
            names: ["U8"], value: "MCP1700-3302",
            choice: "Regulator 3.3 V, 250 mA, TO-92; leave it out if M2 has an output of 3.3 V",
            reason:
                "Supplies U1 only while the receiver is on. Its input tolerates at most 6 V (data sheet DS20001826)."),
        Row(
            names: ["U1"], value: "74LVC1G34", choice: "Buffer, on an adapter board (SOT-23-5)",
            reason:
                "Without a supply, the output of U1 floats (I_OFF in its data sheet), so the board's TX cannot feed a receiver that is off."
        ),
        Row(
            names: ["M2"], value: "GPS receiver",
            choice: "u-blox module for 5 V with UART at 3.3 V and a backup cell, active antenna",
            reason: "29 mA while tracking (SAM-M8Q data sheet, table 8); the antenna needs a view of the sky."),
    ]
}
