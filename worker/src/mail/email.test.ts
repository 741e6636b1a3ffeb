import { describe, expect, it } from 'vitest';
import { type Email, htmlOf, textOf } from './email.ts';

const email: Email = {
  to: 'ada@example.org',
  subject: 'Invitation to <b>R&D</b>',
  paragraphs: ['Hello,', `<script>alert("1")</script> & 'you'`],
  action: { label: 'See it', url: 'https://risk.example.org/invitation?token=a&b="c' },
  notes: ['Otherwise, ignore it.'],
};

describe('the content of an email', () => {
  it('as text has its paragraphs, the link and the notes, unescaped', () => {
    expect(textOf(email)).toBe(
      [
        'Hello,',
        `<script>alert("1")</script> & 'you'`,
        'See it:\nhttps://risk.example.org/invitation?token=a&b="c',
        'Otherwise, ignore it.\n',
      ].join('\n\n'),
    );
  });

  it('as HTML escapes markup in user input', () => {
    const html = htmlOf(email);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;you&#39;');
    expect(html).toContain('<title>Invitation to &lt;b&gt;R&amp;D&lt;/b&gt;</title>');
    expect(html).toContain('href="https://risk.example.org/invitation?token=a&amp;b=&quot;c"');
    expect(html).not.toMatch(/<(script|b|img|link|iframe|object|style|form)\b/);
  });

  it('as HTML loads no remote content and sets no page colors', () => {
    const html = htmlOf(email);
    expect(html).not.toMatch(/\bsrc=|url\(|@import|background-image/);
    expect(html.match(/https?:/g)).toHaveLength(2);
    expect(html).toContain('content="light dark"');
    expect(html).not.toMatch(/<body[^>]*(background|[^-]color):/);
  });

  it('without an action has no link', () => {
    const { action: _, ...plain } = email;
    expect(htmlOf(plain)).not.toContain('<a ');
    expect(textOf(plain)).not.toContain('http');
  });
});
