import { describe, expect, it } from 'vitest';
import { readMarks } from './marked-text.ts';

const plain = (text: string) => ({ parts: [{ kind: 'text', text }], citations: [] });

describe('marks in a description', () => {
  it('splits links, code and citations from the text around them', () => {
    const text =
      '[Quay](https://example.org/a_(b)) runs <code>dir</code> and `ls`.(Citation: Port (2020))(Citation: Dock)\nLater.(Citation: Port (2020))';
    expect(readMarks(text)).toEqual({
      parts: [
        { kind: 'link', text: 'Quay', href: 'https://example.org/a_(b)' },
        { kind: 'text', text: ' runs ' },
        { kind: 'code', text: 'dir' },
        { kind: 'text', text: ' and ' },
        { kind: 'code', text: 'ls' },
        { kind: 'text', text: '.' },
        { kind: 'citation', number: 1 },
        { kind: 'citation', number: 2 },
        { kind: 'text', text: '\nLater.' },
        { kind: 'citation', number: 1 },
      ],
      citations: ['Port (2020)', 'Dock'],
    });
  });

  it.each([
    ['another scheme', '[x](javascript:alert(1))'],
    ['an address inside the page', '[x](/dashboard)'],
    ['a label that is another address', '[https://bank.example](https://evil.example)'],
    ['a label that is the name of another host', '[bank.example/login](https://evil.example)'],
    ['other elements', '<img src=x onerror=alert(1)> <b>bold</b> **bold**'],
    ['code over several lines', '<code>a\nb</code>'],
    ['a mark without an end', '(Citation: Port and [a](https://example.org and `x'],
    ['a text of more than 100,000 characters', `\`code\`${'x'.repeat(100_000)}`],
    ['an empty text', ''],
  ])('leaves %s as text', (_, text) => {
    expect(readMarks(text)).toEqual(text === '' ? { parts: [], citations: [] } : plain(text));
  });

  it.each(['Agent.btz', 'bank.example'])(
    'shows %s without its link, as it may be the name of another host',
    (label) => {
      expect(readMarks(`[${label}](https://evil.example)`)).toEqual(plain(label));
    },
  );

  it('makes a link of a label that is its own address', () => {
    expect(readMarks('[https://example.org](https://example.org)').parts).toEqual([
      { kind: 'link', text: 'https://example.org', href: 'https://example.org' },
    ]);
  });
});
