#if defined(__has_feature) && __has_feature(thread_sanitizer)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>

// Swift's Mutex is locked by the caller if it is free, and otherwise by the standard library, which isn't instrumented. The
// thread sanitizer would take what a contended Mutex protects for a race, so these functions replace those of the library
// and tell it about each lock.

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*locking)(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void (*unlocking)(__attribute__((swift_context)) void *mutex);

__attribute__((swiftcall)) void lock_contended(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void unlock_contended(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_contended(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((locking)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_contended(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    ((unlocking)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

#endif
