import { describe, expect, it } from 'vitest';
import { toBatches } from './existing-reports.ts';

describe('batches of names for the check of existing files', () => {
  it('contain every name once, in order, at most 40 each', () => {
    const names = Array.from({ length: 1000 }, (_, n) => `report ${n}.json`);
    const requests = toBatches(names);
    expect(requests.flat()).toEqual(names);
    expect(Math.max(...requests.map((r) => r.length))).toBe(40);
  });

  it('keep the URL below 8 KiB for long names', () => {
    const names = Array.from({ length: 100 }, (_, n) => `${'ä'.repeat(120)}${n}.json`);
    for (const request of toBatches(names)) {
      expect(new URLSearchParams(request.map((name) => ['name', name])).toString().length).toBeLessThan(7000);
    }
  });

  it('are empty when no names are given', () => expect(toBatches([])).toEqual([]));
});
