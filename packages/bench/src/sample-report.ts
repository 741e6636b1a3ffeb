import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';

const attack = path.resolve(
  import.meta.dirname,
  '../../../../shared/data/stix/attack/enterprise-attack-18.1.stix21.json',
);

/** Deterministic UUIDs: the same report every time. */
function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const vocabulary =
  'the adversary stages collected data in a local file share before it leaves the network over an encrypted channel that looks like ordinary traffic to those who watch it'.split(
    ' ',
  );

const prose = (n: number): string =>
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

/** Writes a STIX 2.1 bundle of at least `bytes` bytes, pretty-printed like real ones. */
export async function writeSample(file: string, bytes: number): Promise<void> {
  const out = createWriteStream(file);
  let written = 0;
  const write = async (text: string) => {
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  await write(`{\n  "type": "bundle",\n  "id": "bundle--${uuid('bundle')}",\n  "objects": [\n`);
  for (let n = 0; ; n += 1) {
    if (written >= bytes) break;
    await write(`${n > 0 ? ',\n' : ''}${JSON.stringify(sampleObject(n), undefined, 4)}`);
  }
  await write('\n  ]\n}\n');
  out.end();
  await once(out, 'finish');
}

/** ATT&CK Enterprise 18.1 when the shared data exists, else a generated report of the same size. */
export async function largeReport(folder: string): Promise<{ file: string; name: string }> {
  if (existsSync(attack)) return { file: attack, name: 'ATT&CK Enterprise 18.1' };
  const file = path.join(folder, 'sample.json');
  await writeSample(file, 46_000_000);
  return { file, name: 'made-up report of 46 MB' };
}
