/// Permission to write to the store.
///
/// Only the kernel can create one, and there only ``ChangeQueue`` does, so that all writes go through the queue.
struct WritePermit: ~Copyable {}
