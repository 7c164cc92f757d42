import Glibc

// The lock of Apple's systems, on that of Linux.

@safe public struct os_unfair_lock_s {
  fileprivate var mutex = unsafe pthread_mutex_t()

  public init() {}
}

public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {
  precondition(unsafe pthread_mutex_lock(&lock.pointee.mutex) == 0)
}

public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {
  precondition(unsafe pthread_mutex_unlock(&lock.pointee.mutex) == 0)
}
