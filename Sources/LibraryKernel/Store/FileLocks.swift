import Platform

/// Finds out whether a file system can lock files.
///
/// Some can't, such as a network file system whose lock service is down. SQLite then reports that another program holds
/// the lock, and waiting for it would never end.
enum FileLocks {
    /// Returns the reason why a file can't be locked, without a full stop, or `nil`.
    ///
    /// Locks a byte for reading that no program locks (https://www.sqlite.org/lockingv3.html). Closing the file releases
    /// all locks of this process on it, so no connection may be open yet.
    static func problem(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_RDLCK), Int16(SEEK_SET), 0, 1)
        while fcntl(descriptor, F_SETLK, &lock) != 0 {
            if errno != EINTR { return "its file system can't lock files (\(String(cString: strerror(errno))))" }
        }
        return nil
    }
}
