/** A count with its noun, as in "1 asset" and "2,000 assets". */
export const plural = (count: number, { one, many }: { one: string; many: string }): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
