import { expect, it } from 'vitest';
import { technicalImpacts } from './impacts.ts';
import { readVignette } from './read-vignette.ts';
import { starterVignettes } from './starter-vignettes.ts';
import { winningImpact } from './technical-impact.ts';

const each = starterVignettes.map((vignette) => [vignette.name, vignette] as const);

it.each(each)('the starter vignette %s is read back as it is and rates every impact', (_name, vignette) => {
  expect(readVignette(structuredClone(vignette))).toEqual({ ok: true, vignette, warnings: [] });
  expect(new Set(vignette.scorecard.map(({ impact }) => impact))).toEqual(new Set(technicalImpacts));
});

it.each(each)('the starter vignette %s says that it is ours and explains each rating', (_name, vignette) => {
  expect(vignette.origin).toBe('Riskboard');
  expect(vignette.notes).toContain('not a vignette of MITRE');
  expect(vignette.businessValueContext).not.toBe('');
  for (const { notes } of vignette.scorecard) expect(notes).toMatch(/^[A-Z].{15,}\.$/u);
  const explanations = vignette.scorecard.map(({ notes }) => notes);
  expect(new Set(explanations).size).toBe(explanations.length);
});

it('the starter vignettes have distinct names and rate the same weakness differently', () => {
  expect(new Set(starterVignettes.map(({ name }) => name)).size).toBe(6);
  const leak = [{ cwe: 200, impacts: ['Read Application Data'] }];
  const ratings = starterVignettes.map(({ name, scorecard }) => [
    name,
    winningImpact(leak, scorecard)?.subscore,
  ]);
  expect(Object.fromEntries(ratings)).toMatchObject({
    SCADA: 4,
    'Online banking': 9,
    'SaaS, multi-tenant': 10,
  });
});
