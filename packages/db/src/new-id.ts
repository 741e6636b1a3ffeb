import { v7 } from 'uuid';

/** A new UUIDv7, which sorts by its time of creation (RFC 9562, 5.7). */
export const newId = (): string => v7();
