import { expect, it } from 'vitest';
import { drawBar, progressBar } from './progress-bar.ts';

it('draws the completed part, and an empty bar while the total is unknown', () => {
  expect(drawBar('reading', 50, 100)).toBe(`  ${'█'.repeat(14)}${'░'.repeat(14)}  50 %  reading`);
  expect(drawBar('reading', 7, 0)).toBe(`  ${'░'.repeat(28)}   0 %  reading`);
  expect(drawBar('reading', 110, 100)).toBe(`  ${'█'.repeat(28)} 100 %  reading`);
});

it('writes one JSON line per phase without a terminal', () => {
  const written: string[] = [];
  const bar = progressBar({ isTTY: false, write: (text: string) => written.push(text) > 0 });
  bar.show('reading', 1, 2);
  bar.show('reading', 2, 2);
  bar.show('extracting', 1, 2);
  bar.end('done');
  expect(written.map((line) => JSON.parse(line) as object)).toMatchObject(
    ['reading', 'extracting', 'done'].map((msg) => ({ level: 30, name: 'supervisor', msg })),
  );
});
