import { expect, it } from 'vitest';
import { technicalImpacts } from './impacts.ts';
import { readVignette } from './read-vignette.ts';
import { starterVignettes } from './starter-vignettes.ts';
import { winningImpact } from './technical-impact.ts';

it.each(starterVignettes.map((vignette) => [vignette.name, vignette] as const))(
  'the starter vignette %s is read back as it is and rates every impact',
  (_name, vignette) => {
    expect(readVignette(structuredClone(vignette))).toEqual({ ok: true, vignette, warnings: [] });
    expect(new Set(vignette.scorecard.map(({ impact }) => impact))).toEqual(new Set(technicalImpacts));
    expect(vignette.origin).toContain('Not a vignette of MITRE');
    const code = winningImpact(
      [{ cwe: 94, impacts: ['Execute Unauthorized Code or Commands'] }],
      vignette.scorecard,
    );
    expect(code?.notes).not.toBe('');
  },
);

it('the starter vignettes have distinct names', () => {
  expect(new Set(starterVignettes.map(({ name }) => name)).size).toBe(6);
});
