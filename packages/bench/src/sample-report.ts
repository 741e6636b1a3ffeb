import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';

const attack = path.resolve(
  import.meta.dirname,
  '../../../../shared/data/stix/attack/enterprise-attack-18.1.stix21.json',
);

/** Deterministic UUIDs: the same report every time. */
export function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const vocabulary =
  'the adversary stages collected data in a local file share before it leaves the network over an encrypted channel that looks like ordinary traffic to those who watch it'.split(
    ' ',
  );

/** 160 words that depend on the number. */
export const prose = (n: number): string =>
  Array.from({ length: 160 }, (_, i) => vocabulary[(n * 7 + i * (1 + (n % 5))) % vocabulary.length]).join(
    ' ',
  );

/** One object in 13 is a technique, as in ATT&CK; the rest relate them to each other. */
function sampleObject(n: number): object {
  const time = { created: '2024-01-01T00:00:00.000Z', modified: '2025-01-01T00:00:00.000Z' };
  if (n % 13 !== 0) {
    return {
      type: 'relationship',
      spec_version: '2.1',
      id: `relationship--${uuid(`r${n}`)}`,
      ...time,
      relationship_type: 'uses',
      source_ref: `malware--${uuid(`m${n % 500}`)}`,
      target_ref: `attack-pattern--${uuid(`a${n - (n % 13)}`)}`,
      description: prose(n),
    };
  }
  return {
    type: 'attack-pattern',
    spec_version: '2.1',
    id: `attack-pattern--${uuid(`a${n}`)}`,
    ...time,
    name: `Technique ${n}`,
    description: prose(n),
    kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'collection' }],
    external_references: [
      {
        source_name: 'mitre-attack',
        external_id: `T${1000 + (n % 9000)}`,
        url: `https://attack.example.org/${n}`,
      },
    ],
    x_mitre_platforms: ['Linux', 'Windows'],
  };
}

/** About 400 bytes, with a CVE of its own and a score. */
const sampleVulnerability = (n: number): object => ({
  type: 'vulnerability',
  spec_version: '2.1',
  id: `vulnerability--${uuid(`v${n}`)}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2025-01-01T00:00:00.000Z',
  name: `CVE-2031-${100_000 + n}`,
  description: `Component ${n % 977} does not check a length, so that a request of the kind ${n % 31} writes beyond it.`,
  external_references: [{ source_name: 'cve', external_id: `CVE-2031-${100_000 + n}` }],
  x_cvss: { v3_1: { vector_string: `CVSS:3.1/AV:N/AC:L/PR:N/UI:${n % 2 ? 'N' : 'R'}/S:U/C:H/I:H/A:H` } },
});

/** Writes a STIX 2.1 bundle; `objectText` returns the text of the n-th object, undefined after the last. */
async function writeBundle(file: string, objectText: (n: number, written: number) => string | undefined) {
  const out = createWriteStream(file);
  let written = 0;
  const write = async (text: string) => {
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  await write(`{\n  "type": "bundle",\n  "id": "bundle--${uuid('bundle')}",\n  "objects": [\n`);
  for (let n = 0; ; n += 1) {
    const text = objectText(n, written);
    if (text === undefined) break;
    await write(`${n > 0 ? ',\n' : ''}${text}`);
  }
  await write('\n  ]\n}\n');
  out.end();
  await once(out, 'finish');
}

/** Writes a bundle of at least `bytes` bytes, pretty-printed like real ones. */
export const writeSample = (file: string, bytes: number): Promise<void> =>
  writeBundle(file, (n, written) =>
    written >= bytes ? undefined : JSON.stringify(sampleObject(n), undefined, 4),
  );

/** Writes a bundle of vulnerabilities: 100,000 of them are about 40 MB. */
export const writeVulnerabilities = (file: string, count: number): Promise<void> =>
  writeBundle(file, (n) => (n >= count ? undefined : JSON.stringify(sampleVulnerability(n))));

/** One object of a small report: vulnerabilities, malware, techniques, and what relates them. */
function smallObject(report: number, n: number): object {
  const time = { created: '2024-01-01T00:00:00.000Z', modified: '2025-01-01T00:00:00.000Z' };
  const common = (type: string) => ({
    type,
    spec_version: '2.1',
    id: `${type}--${uuid(`${report}/${n}`)}`,
    ...time,
  });
  if (n % 4 === 0) {
    const cve = `CVE-${2000 + (report % 25)}-${10_000 + report * 50 + n}`;
    return {
      ...common('vulnerability'),
      name: cve,
      description: prose(report + n),
      external_references: [{ source_name: 'cve', external_id: cve }],
    };
  }
  if (n % 4 === 1)
    return { ...common('malware'), name: `Family ${report}/${n}`, is_family: true, description: prose(n) };
  return {
    ...common('relationship'),
    relationship_type: n % 4 === 2 ? 'targets' : 'uses',
    source_ref: `malware--${uuid(`${report}/${n - (n % 4) + 1}`)}`,
    target_ref: `vulnerability--${uuid(`${report}/${n - (n % 4)}`)}`,
    description: prose(n).slice(0, 300),
  };
}

/** The text of a STIX 2.1 bundle of 20 to 200 KB; `report` chooses its size and objects, which no other report has. */
export function smallReport(report: number): string {
  const bytes = 20_000 + ((report * 7919) % 180_001);
  const objects: string[] = [];
  for (let n = 0, size = 100; size < bytes; n += 1) {
    const text = JSON.stringify(smallObject(report, n), undefined, 2);
    objects.push(text);
    size += text.length + 2;
  }
  return `{"type": "bundle", "id": "bundle--${uuid(`small${report}`)}", "objects": [\n${objects.join(',\n')}\n]}\n`;
}

/** ATT&CK Enterprise 18.1 when the shared data exists, else a generated report of the same size. */
export async function largeReport(folder: string): Promise<{ file: string; name: string }> {
  if (existsSync(attack)) return { file: attack, name: 'ATT&CK Enterprise 18.1' };
  const file = path.join(folder, 'sample.json');
  await writeSample(file, 46_000_000);
  return { file, name: 'made-up report of 46 MB' };
}
