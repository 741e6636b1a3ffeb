import { describe, expect, it } from 'vitest';
import { type Level, readableLine } from './log-line.ts';

const time = new Date(2026, 2, 1, 9, 5, 7).getTime();
const entry = (fields: object): string => JSON.stringify({ level: 30, time, ...fields });

describe('readableLine', () => {
  it.each<[what: string, line: string, least: Level, expected: string | undefined]>([
    ['words', entry({ msg: 'worker ready' }), 'info', '09:05:07  api  info  worker ready'],
    ['below the level', entry({ msg: 'worker ready' }), 'warn', undefined],
    ['at the level', entry({ level: 40, msg: 'slow' }), 'warn', '09:05:07  api  warning  slow'],
    [
      'a reason',
      entry({ level: 40, msg: 'retry', err: { message: 'no route', stack: 'x' } }),
      'warn',
      '09:05:07  api  warning  retry: no route',
    ],
    [
      'an error with its stack',
      entry({ level: 50, msg: 'boom', err: { message: 'boom', stack: 'Error: boom\n  at a' } }),
      'warn',
      '09:05:07  api  error  Error: boom\n  at a',
    ],
    [
      'what is no log line',
      "SyntaxError: Unexpected token '{'",
      'warn',
      "api  SyntaxError: Unexpected token '{'",
    ],
    ['JSON of another kind', '{"a":1}', 'warn', 'api  {"a":1}'],
    ['cut JSON', '{"level":50,"ti', 'warn', 'api  {"level":50,"ti'],
    ['nothing', '  ', 'warn', undefined],
    ['everything silent', entry({ level: 60, msg: 'x' }), 'silent', undefined],
  ])('shows %s', (_, line, least, expected) => {
    expect(readableLine('api', line, least)).toBe(expected);
  });
});
