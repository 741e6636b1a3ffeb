import { lazily } from './lazily.ts';

const whole = lazily(() => new Intl.NumberFormat('en-US'));

/** A count in a text: '12,345'. */
export const formatCount = (count: number): string => whole().format(count);

/** A total of which counting may have stopped: '10,000+' when there are more. */
export const formatTotal = (total: number, isCapped = false): string =>
  `${formatCount(total)}${isCapped ? '+' : ''}`;

/** A count with its noun: '1 file', '12,345 files'. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
