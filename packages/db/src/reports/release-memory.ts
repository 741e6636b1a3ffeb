/**
 * Returns the memory of bytes at once, which would otherwise wait for a garbage collection: V8 collects large buffers late,
 * because they are not on its heap. The bytes must have their memory for themselves, and nothing may read them, or a part of
 * them, afterwards: they are empty then.
 */
export function releaseMemory({ buffer }: Uint8Array): void {
  // Small buffers share the memory of a pool.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
