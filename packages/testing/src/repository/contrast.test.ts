import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Sources of the web app. */
const web = path.resolve(import.meta.dirname, '../../../../web/src');
const tokens = readFileSync(path.join(web, 'styles/tokens.css'), 'utf8');

const themes = ['light', 'dark'] as const;

/** Value of a color token in a theme, as '#rrggbb'. */
function colorOf(name: string, theme: (typeof themes)[number]): string {
  const [, ...values] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`, 'u').exec(tokens) ?? [];
  const value = values[themes.indexOf(theme)];
  if (value === undefined) throw new Error(`The token ${name} is not a pair of colors.`);
  return value;
}

/** Relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'accent-soft'] as const;

test.each(
  themes.flatMap((theme) => [
    ...grounds.map((ground) => ({ theme, part: 'line-strong', ground, least: 3 })),
    ...grounds.map((ground) => ({ theme, part: 'focus', ground, least: 3 })),
    ...grounds.map((ground) => ({ theme, part: 'muted', ground, least: 4.5 })),
    ...['accent', 'low', 'bar-warning', 'danger'].map((part) => ({ theme, part, ground: 'line', least: 3 })),
  ]),
)('in $theme, $part on $ground has a contrast of at least $least', ({ theme, part, ground, least }) => {
  expect(contrast(colorOf(part, theme), colorOf(ground, theme))).toBeGreaterThanOrEqual(least);
});

test('no control weakens the color of its border', () => {
  const files = globSync('{ui,features}/**/*.{ts,tsx}', { cwd: web });
  expect(files.length).toBeGreaterThan(100);
  const weakened = files.filter((file) =>
    /border-line-strong\/\d/u.test(readFileSync(path.join(web, file), 'utf8')),
  );
  expect(weakened).toEqual([]);
});

test('colors are declared in tokens.css only', () => {
  const files = globSync('**/*.{ts,tsx,css}', { cwd: web });
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter((file) => file !== 'styles/tokens.css' && !/\.test\.|^testing\//u.test(file))
    .flatMap((file) => {
      const colors =
        readFileSync(path.join(web, file), 'utf8').match(/#(?:[\da-f]{6}|[\da-f]{3})\b/giu) ?? [];
      return colors.map((color) => `${file}: ${color}`);
    });
  expect(found).toEqual([]);
});
