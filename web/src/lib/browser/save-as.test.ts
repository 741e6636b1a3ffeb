import { describe, expect, it } from 'vitest';
import { recordFileName } from './save-as.ts';

describe('file name of a record’s download', () => {
  it.each([
    { name: 'Log4Shell', file: 'Log4Shell.json' },
    { name: 'a/b\\c: "d"\n<e>|?*', file: 'a b c d e.json' },
    { name: '../../etc/passwd', file: 'etc passwd.json' },
    { name: ' ... ', file: 'record.json' },
    { name: '', file: 'record.json' },
    { name: `${'x'.repeat(119)}😀`, file: `${'x'.repeat(119)}.json` },
    { name: 'Überlauf 😀', file: 'Überlauf 😀.json' },
  ])('$name', ({ name, file }) => {
    expect(recordFileName(name)).toBe(file);
  });
});
