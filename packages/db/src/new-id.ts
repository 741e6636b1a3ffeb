import { v7 } from 'uuid';

/** A fresh UUIDv7: sorts by the time it was made (RFC 9562, 5.7). */
export const newId = (): string => v7();
