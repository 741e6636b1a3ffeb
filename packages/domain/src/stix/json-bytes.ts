/** The bytes of JSON's punctuation (RFC 8259, section 2), and those of strings. */
export const jsonBytes = {
  newline: 0x0a,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  escape: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
