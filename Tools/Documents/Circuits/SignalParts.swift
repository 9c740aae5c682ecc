extension BillOfMaterials {
    /// The parts of the inputs: ignition, power failure, battery, motion.
    static let inputs = [
        Row(
            names: ["F2"], value: "1 A", choice: "Fuse in the wire of terminal 15",
            reason: "R4 limits the current to (32 V − 1.2 V) / 2.2 kΩ = 14 mA; the fuse protects the wire before R4."),
        Row(
            names: ["R4"], value: "2.2 kΩ, 2 W", choice: "Metal oxide resistor",
            reason:
                "(28 V − 1.2 V) / 2.2 kΩ = 12 mA, 0.33 W; (58 V − 1.2 V) / 2.2 kΩ = 26 mA, 1.5 W during a load dump. PC817: 50 mA at most (data sheet)."
        ),
        Row(
            names: ["D3"], value: "1N4148", choice: "Antiparallel to the LED of U4: its cathode on the LED's anode",
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
                "Threshold 1.242 V · (1 + 68 / 10) = 9.7 V, or 1.242 V · (1 + 130 / 10) = 17.4 V. The input gets 35 V / 7.8 = 4.5 V in a load dump; it tolerates 5.5 V."
        ),
        Row(
            names: ["C4"], value: "10 nF", choice: "Ceramic, 50 V",
            reason: "Filters the divider: 10 nF · 8.7 kΩ = 87 µs, short against 500 ms."),
        Row(
            names: ["U5"], value: "TLV3011B",
            choice: "Comparator with open-drain output, on an adapter board (SOT-23-6)",
            reason:
                "Reference 1.242 V, supply 1.65 to 5.5 V, inputs tolerate voltage without supply (data sheet SBOS300). An open drain lets the board's pull-up set 3.3 V."
        ),
        Row(
            names: ["R7"], value: "20 kΩ", choice: "0.25 W, 1 %",
            reason: "Divides by 3: 58 V / 3 = 19 V, below the 26 V that U6 tolerates (data sheet SBOS448, section 6.3)."
        ),
        Row(
            names: ["U6"], value: "INA219", choice: "Breakout board; without it, leave out R7 and R8",
            reason: "Its input of 320 kΩ lowers the reading by 6.7 / 327 = 2 %, so the ratio is 3.06."),
        Row(
            names: ["Q1"], value: "BSS138", choice: "N-channel MOSFET, also as a level shifter's part",
            reason:
                "Conducts at a gate voltage of 1.5 V at most (data sheet). It carries 3.3 V / 1.8 kΩ = 1.8 mA, as GPIO3 has a pull-up of 1.8 kΩ on the board."
        ),
        Row(
            names: ["R9", "R10"], value: "100 kΩ", choice: "0.25 W",
            reason: "Hold Q1 and U7 off while the board boots; they take 3.3 V / 100 kΩ = 33 µA while it is on."),
        Row(
            names: ["C5", "C6", "C7", "C8"], value: "100 nF",
            choice: "Ceramic, 16 V, next to the chip; breakout boards have it",
            reason: "The data sheets of U1, U5, U6 and the accelerometer ask for it."),
        Row(
            names: ["M1"], value: "LIS3DH", choice: "Breakout board for 3.3 V with INT1",
            reason:
                "The default of the board files, at address 0x18 (data sheet, section 6.1.1); [configuration.md](configuration.md#boards) lists the others."
        ),
    ]

    /// The parts of the receiver.
    static let receiver = [
        Row(
            names: ["U7"], value: "TPS22918",
            choice: "Load switch 5.5 V, 2 A, 52 mΩ, on an adapter board (data sheet SLVSD76)",
            reason: "ON is high from 1 V, so 3.3 V switch it. QOD on VOUT discharges the receiver."),
        Row(
            names: ["C9", "C10", "C11"], value: "1 µF", choice: "Ceramic, 16 V",
            reason: "The data sheets of U7 and U8 ask for it."),
        Row(
            names: ["U8"], value: "MCP1700-3302",
            choice: "Regulator 3.3 V, 250 mA, TO-92; leave it out if M2 has an output of 3.3 V",
            reason: "Supplies U1 only while the receiver is on. 6 V at most at its input (data sheet DS20001826)."),
        Row(
            names: ["U1"], value: "74LVC1G34", choice: "Buffer, on an adapter board (SOT-23-5)",
            reason:
                "Without supply its output floats (I_OFF in its data sheet), so the board's TX cannot feed a receiver that is off."
        ),
        Row(
            names: ["M2"], value: "GPS receiver",
            choice: "u-blox module for 5 V with UART at 3.3 V and a backup cell, active antenna",
            reason: "29 mA while tracking (SAM-M8Q data sheet, table 8); the antenna needs a view of the sky."),
    ]
}
