import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { stix1Package } from '../testing/stix1.ts';
import { bundle, bundle20, object, relationship, threat, vulnerability } from '../testing/stix2.ts';
import { readerVersion } from './reader-version.ts';
import { readAll } from '../testing/test-sink.ts';

const id = (type: string, n: number): string => `${type}--00000000-0000-4000-8000-00000000000${n}`;
const weakness = vulnerability({
  id: id('vulnerability', 1),
  cves: ['CVE-2024-1001'],
  name: 'Overflow',
  description: 'A text',
  vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
});
const actor = threat({ id: id('malware', 2), name: 'Loader', labels: ['trojan'], revoked: true });
const objects = [
  weakness,
  actor,
  threat({ id: id('attack-pattern', 3), name: 'Spear\u00A0phis\u200Bhing' }, 'attack-pattern'),
  object('tool', { id: id('tool', 4), name: 'Scanner' }),
  object('sighting', { id: id('sighting', 5) }),
  { ...relationship('targets', actor, weakness), id: id('relationship', 6) },
  {
    ...relationship('uses', actor, weakness),
    id: 'relationship--00000000-0000-4000-8000-000000000014',
    modified: '2024-02-01T00:00:00.000Z',
  },
  { type: 'tool', id: id('malware', 7) },
  vulnerability({
    id: id('vulnerability', 8),
    cves: Array.from({ length: 1001 }, (_, n) => `CVE-2024-${20_000 + n}`),
  }),
  vulnerability({ id: id('vulnerability', 9), cves: ['CVE-2024-1003'], description: 'x'.repeat(70_000) }),
  threat(
    {
      id: 'attack-pattern--00000000-0000-4000-8000-000000000010',
      external_references: [{ source_name: 'capec', external_id: `CAPEC-${'1'.repeat(20)}` }],
    },
    'attack-pattern',
  ),
  vulnerability({
    id: 'vulnerability--00000000-0000-4000-8000-000000000011',
    x_misp_published: '0000-12-31T23:30:00-01:00',
  }),
  vulnerability({
    id: 'vulnerability--00000000-0000-4000-8000-000000000012',
    extensions: {
      'extension-definition--ea279b3e-5c71-4632-ac08-831c66a786ba': { cvss_base_score: 9.8, cwe: ['CWE-79'] },
    },
  }),
  threat(
    {
      id: 'attack-pattern--00000000-0000-4000-8000-000000000013',
      extensions: {
        'extension-definition--322b8f77-262a-4cb8-a915-1e441e00329b': { id: 'T1566', platforms: ['Windows'] },
      },
    },
    'attack-pattern',
  ),
];
const samples = [
  bundle(objects),
  bundle20(objects),
  stix1Package(
    [[{ title: 'Overflow', cve: 'CVE-2024-1002', discovered: '2024-01-01T00:00:00Z' }]],
    ['Actor'],
  ),
];

it('increases when the same bytes give other rows: then write the new version and digest here', async () => {
  const read = createHash('sha256');
  for (const sample of samples) read.update(JSON.stringify(await readAll(sample)));
  expect({ readerVersion, digest: read.digest('hex').slice(0, 16) }).toEqual({
    readerVersion: 8,
    digest: 'ae7ad272a54f9efd',
  });
});
