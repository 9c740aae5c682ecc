import Quantities

extension SampleBatch {
    /// In which order a chip sends the two bytes of a number.
    enum ByteOrder { case littleEndian, bigEndian }

    /// Reads samples of three 16-bit numbers each, of which one step is this much; an incomplete one at the end is
    /// left out.
    init(raw bytes: [UInt8], _ order: ByteOrder, step: Acceleration, isOverrun: Bool = false) {
        let samples = stride(from: 0, to: bytes.count - bytes.count % 6, by: 6).map { start in
            func axis(_ index: Int) -> Double {
                let first = UInt16(bytes[start + 2 * index])
                let second = UInt16(bytes[start + 2 * index + 1])
                let bits = order == .littleEndian ? second << 8 | first : first << 8 | second
                return Double(Int16(bitPattern: bits)) * step.value
            }
            return AccelerationSample(x: axis(0), y: axis(1), z: axis(2))
        }
        self.init(samples, isOverrun: isOverrun)
    }
}
