extension BillOfMaterials {
    /// The parts of the inputs: ignition, power failure, battery, motion.
    static let inputs = [
        Row(
            names: ["F2"], value: "1 A", choice: "Fuse in terminal 15's wire",
            reason: "Protects the wire; R4 limits the current to 14 mA at 32 V."),
        Row(
            names: ["R4"], value: "2.2 kΩ, 2 W", choice: "Metal oxide",
            reason:
                "26 mA and 1.5 W in a load dump of 58 V; U4's LED tolerates 50 mA (data sheet)."
        ),
        Row(
            names: ["D3"], value: "1N4148",
            choice: "Diode, antiparallel to U4's LED",
            reason:
                "Carries negative pulses of 600 V / 2.2 kΩ = 0.27 A for 1 ms (ISO 7637-2, pulse 1); the LED tolerates 6 V in reverse."
        ),
        Row(
            names: ["U4"], value: "PC817", choice: "Optocoupler, transfer ratio at least 50 %",
            reason:
                "5 mA in the LED give 2.5 mA; the board's pull-up needs 66 µA."
        ),
        Row(
            names: ["R5"], value: "68 or 130 kΩ", choice: "0.25 W, 1 %; 68 kΩ for 12 V, 130 kΩ for 24 V",
            reason:
                "Threshold 1.242 V · (1 + R5 / R6) = 9.7 V or 17.4 V. In a load dump U5's input gets 35 V / 7.8 = 4.5 V and tolerates 5.5 V."
        ),
        Row(
            names: ["C4"], value: "10 nF", choice: "Ceramic, 50 V",
            reason: "Filters the divider within 87 µs, far less than 500 ms."),
        Row(
            names: ["U5"], value: "TLV3011B",
            choice: "Open-drain comparator on an adapter (SOT-23-6)",
            reason:
                "Reference 1.242 V, supply 1.65 to 5.5 V; inputs tolerate a voltage without supply (data sheet SBOS300)."
        ),
        Row(
            names: ["R7"], value: "20 kΩ", choice: "0.25 W, 1 %",
            reason: "58 V / 3 = 19 V, below U6's 26 V (data sheet SBOS448, section 6.3)."
        ),
        Row(
            names: ["U6"], value: "INA219", choice: "Breakout board; without it, leave out R7 and R8",
            reason:
                "Its input of 320 kΩ lowers the reading by 2 %, so `divider` is 3.06 instead of 3."
        ),
        Row(
            names: ["Q1"], value: "BSS138", choice: "N-channel MOSFET; level shifters contain it",
            reason:
                "Threshold at most 1.5 V (data sheet). GPIO3's pull-up of 1.8 kΩ feeds it 1.8 mA."
        ),
        Row(
            names: ["R9", "R10"], value: "100 kΩ", choice: "0.25 W",
            reason:
                "Keep Q1 and U7 off while the board boots; 33 µA each while the signal is high."
        ),
        Row(
            names: ["C5", "C6", "C7", "C8"], value: "100 nF",
            choice: "Ceramic, 16 V, next to the chip; on breakout boards already",
            reason: "Required by the data sheets of U1, U5, U6 and M1."),
        Row(
            names: ["M1"], value: "LIS3DH", choice: "Breakout board for 3.3 V with INT1",
            reason:
                "The board files expect it at address 0x18 (data sheet, section 6.1.1); other chips: [configuration.md](configuration.md#boards)."
        ),
    ]

    static let receiver = [
        Row(
            names: ["U7"], value: "TPS22918",
            choice: "Load switch 5.5 V, 2 A, 52 mΩ, on an adapter",
            reason:
                "ON is high from 1 V, so 3.3 V switches it (data sheet SLVSD76). Connect QOD to VOUT, so that it discharges the receiver's supply when off."
        ),
        Row(
            names: ["C9", "C10", "C11"], value: "1 µF", choice: "Ceramic, 16 V",
            reason: "Required by the data sheets of U7 and U8."),
        Row(
            names: ["U8"], value: "MCP1700-3302",
            choice: "Regulator 3.3 V, 250 mA, TO-92",
            reason:
                "Supplies U1 only while the receiver is on; input at most 6 V (data sheet DS20001826)."),
        Row(
            names: ["U1"], value: "74LVC1G34", choice: "Buffer on an adapter (SOT-23-5)",
            reason:
                "Its output floats without supply (I_OFF in its data sheet), so TX cannot feed a receiver that is off."
        ),
        Row(
            names: ["M2"], value: "GPS receiver",
            choice: "u-blox module for 5 V with UART at 3.3 V, backup cell, active antenna",
            reason: "29 mA while tracking (SAM-M8Q data sheet, table 8)."),
    ]
}
