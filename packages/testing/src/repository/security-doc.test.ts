import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const text = read('docs/security.md');

/** OWASP ASVS 5.0.0: of each section the level of each requirement, in their order. */
const levels: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
};

/** As `1.2.3 1`: the requirements of levels 1 and 2. */
const required = Object.entries(levels).flatMap(([section, digits]) =>
  Array.from(digits, (level, n) => ({ number: `${section}.${n + 1}`, level })).filter(
    ({ level }) => level !== '3',
  ),
);

const verdicts = ['met', 'not applicable', 'open'] as const;

interface Row {
  number: string;
  level: string;
  text: string;
  verdict: string;
  where: string;
  /** After the last column: one empty cell, because the line ends with a bar. */
  rest: string[];
}

const rows = text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, number = '']) => /^\d+\.\d+\.\d+$/u.test(number))
  .map(([, number = '', level = '', requirement = '', verdict = '', where = '', ...rest]): Row => ({
    number,
    level,
    text: requirement,
    verdict,
    where,
    rest,
  }));

/** Paths of files in backticks. */
const pathsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/`([^`\s]+)`/gu)]
    .map(([, quoted = '']) => quoted)
    .filter((quoted) =>
      /^\.?[\w.$-]+(?:\/[\w.$-]+)*\.(?:md|ts|tsx|mjs|sql|json|yaml|yml)$|^\.[a-z]+ignore$/u.test(quoted),
    );

const counts = (level?: string): number[] =>
  verdicts.map(
    (verdict) => rows.filter((row) => row.verdict === verdict && (level ?? row.level) === row.level).length,
  );
const line = (name: string, found: number[]): string =>
  `| ${[name, ...found, found.reduce((sum, n) => sum + n, 0)].join(' | ')} |`;
const summary = [line('1', counts('1')), line('2', counts('2')), line('both', counts())];

describe('docs/security.md', () => {
  it('lists every requirement of levels 1 and 2 once, in order, with its level', () => {
    expect(required.filter(({ level }) => level === '1')).toHaveLength(70);
    expect(required.filter(({ level }) => level === '2')).toHaveLength(183);
    expect(rows.map(({ number, level }) => `${number} ${level}`)).toEqual(
      required.map(({ number, level }) => `${number} ${level}`),
    );
  });

  it.each(rows)(
    '$number has a verdict, and a location or reason',
    ({ text: requirement, verdict, where, rest }) => {
      expect(rest).toEqual(['']);
      expect(verdicts).toContain(verdict);
      expect(requirement.length).toBeGreaterThan(3);
      expect(where.length).toBeGreaterThan(3);
      if (verdict === 'met')
        expect(pathsOf(where).length + (where.startsWith('[') ? 1 : 0)).toBeGreaterThan(0);
    },
  );

  it('its summary counts the verdicts correctly', () => {
    expect(text).toContain(summary.join('\n'));
  });
});

describe.each(['docs/security.md', 'SECURITY.md'])('%s', (file) => {
  const content = read(file);

  it('has no broken link', () => {
    const anchors = new Set(
      [...content.matchAll(/^#+ (.+)$/gmu)].map(
        ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
      ),
    );
    const links = [...content.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(3);
    const broken = links.filter((link) => {
      if (link.startsWith('https://')) return false;
      if (link.startsWith('#')) return !anchors.has(link);
      return !existsSync(join(root, file, '..', link.split('#')[0] ?? ''));
    });
    expect(broken).toEqual([]);
  });
});

afterAll(() => {
  const head = '| ASVS 5.0.0 | met | not applicable | open | all |';
  process.stdout.write(`\n${[head, ...summary].join('\n')}\n`);
});
