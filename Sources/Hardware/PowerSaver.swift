/// Makes the board draw less while the vehicle is parked: the processor's governor, its lights.
package protocol PowerSaver: Device {
    /// Saves from now on, or puts back what was there before.
    func rest(_ isParked: Bool)
}
