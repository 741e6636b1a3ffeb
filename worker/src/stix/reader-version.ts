/**
 * Version of what is read from the same bytes: a report that is uploaded again unchanged is read again only by another
 * version. To be increased with every change of the rows that a parse stores: of the readers, the mapping, the keys, or how
 * the objects of a file are merged. A test compares what is read from samples.
 */
export const readerVersion = 8;
