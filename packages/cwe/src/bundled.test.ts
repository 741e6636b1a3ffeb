import { expect, it } from 'vitest';
import { bundledVersion, readBundled } from './bundled.ts';

it('the bundled catalogue has each weakness, category and view once, with a name and texts without markup', async () => {
  const { entries, version, notice } = await readBundled();
  expect(version).toBe(await bundledVersion());
  expect(notice).toContain('The MITRE Corporation');
  const kinds = Map.groupBy(entries, ({ kind }) => kind);
  expect(kinds.get('weakness')?.length).toBeGreaterThan(900);
  expect(kinds.get('category')?.length).toBeGreaterThan(300);
  expect(kinds.get('view')?.length).toBeGreaterThan(40);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  const ids = new Set(entries.map(({ id }) => String(id)));
  for (const { data } of entries) {
    expect(data.Name).not.toBe('');
    expect(data.Description).toMatch(/^\S(?:.*\S)?$/u);
    const texts = [
      data.Description,
      data.ExtendedDescription,
      ...data.Mitigations.map((one) => one.Description),
    ];
    expect(texts.join('\n')).not.toMatch(/<\/?xhtml/u);
    const relations = data.Weaknesses.map((one) => JSON.stringify(one));
    expect(new Set(relations).size).toBe(relations.length);
    if (data.Abstraction === 'Category') continue;
    for (const { ID } of data.Weaknesses) expect(ids).toContain(ID);
  }
});
