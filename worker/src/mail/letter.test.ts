import { describe, expect, it } from 'vitest';
import { htmlOf, type Letter, textOf } from './letter.ts';

const letter: Letter = {
  to: 'ada@example.org',
  subject: 'Invitation to <b>R&D</b>',
  paragraphs: ['Hello,', `<script>alert("1")</script> & 'you'`],
  action: { label: 'See it', url: 'https://risk.example.org/invitation?token=a&b="c' },
  notes: ['Otherwise, ignore it.'],
};

describe('a letter', () => {
  it('as text', () => {
    expect(textOf(letter)).toBe(
      [
        'Hello,',
        `<script>alert("1")</script> & 'you'`,
        'See it:\nhttps://risk.example.org/invitation?token=a&b="c',
        'Otherwise, ignore it.\n',
      ].join('\n\n'),
    );
  });

  it('as HTML shows what was typed and obeys none of it', () => {
    const html = htmlOf(letter);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;you&#39;');
    expect(html).toContain('<title>Invitation to &lt;b&gt;R&amp;D&lt;/b&gt;</title>');
    expect(html).toContain('href="https://risk.example.org/invitation?token=a&amp;b=&quot;c"');
    expect(html).not.toMatch(/<(script|b|img|link|iframe|object|style|form)\b/);
  });

  it('as HTML fetches nothing, and leaves dark mode to the program', () => {
    const html = htmlOf(letter);
    expect(html).not.toMatch(/\bsrc=|url\(|@import|background-image/);
    expect(html.match(/https?:/g)).toHaveLength(2);
    expect(html).toContain('content="light dark"');
    expect(html).not.toMatch(/<body[^>]*(background|[^-]color):/);
  });

  it('without anything to do has no link', () => {
    const { action: _, ...plain } = letter;
    expect(htmlOf(plain)).not.toContain('<a ');
    expect(textOf(plain)).not.toContain('http');
  });
});
