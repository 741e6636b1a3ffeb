/** A count with its word. */
export const plural = (count: number, { one, many }: { one: string; many: string }): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
