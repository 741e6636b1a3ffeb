import { describe, expect, it } from 'vitest';
import { inRequests } from './existing-names.ts';

describe('inRequests', () => {
  it('asks for every name once, in order', () => {
    const names = Array.from({ length: 1000 }, (_, n) => `report ${n}.json`);
    const requests = inRequests(names);
    expect(requests.flat()).toEqual(names);
    expect(Math.max(...requests.map((r) => r.length))).toBe(40);
  });

  it('keeps the address below 8 KiB for long names', () => {
    const names = Array.from({ length: 100 }, (_, n) => `${'ä'.repeat(120)}${n}.json`);
    for (const request of inRequests(names)) {
      expect(new URLSearchParams(request.map((name) => ['name', name])).toString().length).toBeLessThan(7000);
    }
  });

  it('asks nothing for no names', () => expect(inRequests([])).toEqual([]));
});
