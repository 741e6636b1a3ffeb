import { describe, expect, it } from 'vitest';
import { type Level, readableLine } from './log-line.ts';

const time = new Date(2026, 2, 1, 9, 5, 7).getTime();
const entry = (fields: object): string => JSON.stringify({ level: 30, time, ...fields });

describe('readableLine', () => {
  it.each<[what: string, line: string, least: Level, expected: string | undefined]>([
    ['a message', entry({ msg: 'worker ready' }), 'info', '09:05:07  api  info  worker ready'],
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
    ['other output', "SyntaxError: Unexpected token '{'", 'warn', "api  SyntaxError: Unexpected token '{'"],
    ['JSON of another kind', '{"a":1}', 'warn', 'api  {"a":1}'],
    ['cut JSON', '{"level":50,"ti', 'warn', 'api  {"level":50,"ti'],
    ['an empty line', '  ', 'warn', undefined],
    [
      'control characters and escape sequences as their codes',
      entry({
        level: 50,
        msg: 'no',
        err: { message: 'x', stack: 'bad \u001b[2J\u0007\u009b31m\rname\u202egnp' },
      }),
      'warn',
      String.raw`09:05:07  api  error  no: bad \u{1b}[2J\u{7}\u{9b}31m\u{d}name\u{202e}gnp`,
    ],
    [
      'a line that looks like an entry, indented',
      entry({ level: 40, msg: 'bad name\n09:05:07  api  info  all is well\r\n\tat b' }),
      'warn',
      '09:05:07  api  warning  bad name\n  09:05:07  api  info  all is well\n\tat b',
    ],
    [
      'other output with escaped control characters',
      'Error: \u001b]0;title\u0007',
      'warn',
      String.raw`api  Error: \u{1b}]0;title\u{7}`,
    ],
    [
      'characters of all scripts',
      entry({ msg: 'Zoë 名前 👩🏽 é\tß' }),
      'info',
      '09:05:07  api  info  Zoë 名前 👩🏽 é\tß',
    ],
    ['nothing at the level silent', entry({ level: 60, msg: 'x' }), 'silent', undefined],
  ])('formats %s', (_, line, least, expected) => {
    expect(readableLine('api', line, least)).toBe(expected);
  });
});
