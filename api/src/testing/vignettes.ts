import { newId } from '@riskboard/db';
import { starterVignettes, type Vignette } from '@riskboard/domain';
import { asWorker } from './fakes/as-worker.ts';
import { form } from './form.ts';
import type { Answer, Person } from './person.ts';
import type { TestApi } from './start-api.ts';

/** Inserts a vignette with its first version. @returns its id */
export async function makeVignette(
  api: TestApi,
  person: Person,
  content: Partial<Vignette> = {},
): Promise<string> {
  const [starter] = starterVignettes;
  if (starter === undefined) throw new Error('There is no starter vignette.');
  const vignette: Vignette = { ...starter, ...content, name: content.name ?? 'Shop of a test' };
  const { organizationId, _id: by } = person.user;
  const id = newId();
  await asWorker(api, person).inside(async (trx) => {
    await trx
      .insertInto('vignette')
      .values({
        organization_id: organizationId,
        id,
        name: vignette.name,
        scorecard_name: vignette.scorecardName,
        rated_cells: vignette.scorecard.length,
        created_by: by,
      })
      .execute();
    await trx
      .insertInto('vignette_version')
      .values({
        organization_id: organizationId,
        vignette_id: id,
        version: 1,
        content: JSON.stringify(vignette),
        created_by: by,
      })
      .execute();
  });
  return id;
}

export const vignetteUrl = '/api/reports/vignette';
export const shopCell = { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Money' } as const;
/** What a person writes in the editor. */
export const shop = {
  name: 'Shop',
  scorecardName: 'Shop scorecard',
  origin: 'Own',
  scorecard: [shopCell],
};

/** Uploads a file, or a value as its JSON. */
export const uploadVignette = (person: Person, content: unknown, name = 'shop.json'): Promise<Answer> =>
  person.call({
    method: 'POST',
    url: '/api/reports/upload-vignette',
    ...form({
      field: 'vignetteFile',
      name,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    }),
  });
