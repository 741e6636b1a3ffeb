import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newReport, openOrganization, type Organization, perReport } from '../organization.ts';
import type { FaultCase, Stage } from '../stage.ts';

/** Rows of an organization that no file has. */
const orphans = async ({ installation }: Stage, organization: Organization): Promise<number> => {
  const [row] = await installation.admin<{ count: string }>(
    `select
       (select count(*) from report_record r where organization_id = $1
          and not exists (select from report_file f where f.id = r.file_id))
     + (select count(*) from report_object o where organization_id = $1
          and not exists (select from report_file f where f.id = o.file_id))
     + (select count(*) from report_object_group g where organization_id = $1
          and not exists (select from report_file f where f.id = g.file_id))
     + (select count(*) from vulnerability v where organization_id = $1
          and not exists (select from report_record r where r.vulnerability_id = v.id))
     + (select count(*) from file_content c where organization_id = $1 and complete
          and not exists (select from report_file f where f.content_id = c.id)) as count`,
    [organization.id],
  );
  return Number(row?.count ?? 0);
};

const none = { lost: 0, doubled: 0, stuck: 0 } as const;

export const fileCases: readonly FaultCase[] = [
  {
    id: 'F15',
    fault: 'file deleted while its jobs run',
    short: 'PostgreSQL',
    async run(stage) {
      const organization = await openOrganization(stage.installation);
      const kept = await organization.upload('kept.json');
      const problems: string[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { fileId } = await organization.upload(`deleted-${n}.json`);
        await sleep(stage.random() * 400);
        const { status } = await organization.call('DELETE', `/reports/files/${fileId}`);
        if (status !== 200 && status !== 204 && status !== 202)
          problems.push(`the deletion was answered ${status}`);
      }
      const endedAt = performance.now();
      const left = await organization.settle([kept]);
      const leftBehind = await orphans(stage, organization);
      if (leftBehind > 0) problems.push(`${leftBehind} rows have no file`);
      return { ...left, recoveryMs: performance.now() - endedAt, problems };
    },
  },
  {
    id: 'F16',
    fault: 'file replaced while its jobs run',
    short: 'Redis',
    async run(stage) {
      const organization = await openOrganization(stage.installation);
      let last = await organization.upload('replaced.json');
      for (let n = 0; n < 4; n += 1) {
        await sleep(stage.random() * 400);
        last = await organization.upload('replaced.json');
      }
      const endedAt = performance.now();
      const { stuck } = await organization.settle([last]);
      const recoveryMs = performance.now() - endedAt;
      const [rows] = await stage.installation.admin<{ files: string; records: string; generations: string }>(
        `select (select count(*) from report_file where organization_id = $1) as files,
                (select count(*) from report_record where organization_id = $1) as records,
                (select count(distinct substring(key from 'CVE-....-(\\d+)')::int / ${perReport})
                 from report_record where organization_id = $1 and kind = 'vulnerability') as generations`,
        [organization.id],
      );
      const files = Number(rows?.files);
      const records = Number(rows?.records);
      const problems = Number(rows?.generations) > 2 ? ['records of several generations are mixed'] : [];
      const expected = perReport + 1;
      return {
        lost: Math.max(0, expected - records),
        doubled: Math.max(0, records - expected) + Math.max(0, files - 1),
        stuck,
        recoveryMs,
        problems,
      };
    },
  },
  {
    id: 'F17',
    fault: 'the same file uploaded by 20 clients at once',
    short: 'PostgreSQL',
    async run(stage) {
      const organization = await openOrganization(stage.installation);
      const content = newReport();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => organization.patientUpload('same.json', content, n)),
      );
      const endedAt = performance.now();
      const [one] = answers;
      const problems = answers.flatMap(({ status, body }) =>
        status === 201 ? [] : [`an upload was answered ${status}: ${String(body['message'])}`],
      );
      const created = answers.filter(({ body }) => body['action'] === 'created').length;
      if (created !== 1) problems.push(`${created} of 20 created the file`);
      const same = { name: 'same.json', fileId: String(one?.body['_id']), ms: 0, badAnswers: [] };
      const left = await organization.settle([same]);
      return { ...left, recoveryMs: performance.now() - endedAt, problems };
    },
  },
  {
    id: 'F22',
    fault: 'upload whose client vanishes half-way',
    short: 'Redis',
    async run(stage) {
      const organization = await openOrganization(stage.installation);
      const began = performance.now();
      for (let n = 0; n < 4; n += 1) await abortedUpload(stage, organization);
      // The api notices a closed connection at its next read.
      await sleep(300);
      const [rows] = await stage.installation.admin<{ files: string; chunks: string }>(
        `select (select count(*) from report_file where organization_id = $1) as files,
                (select count(*) from file_chunk where organization_id = $1) as chunks`,
        [organization.id],
      );
      const problems = [
        ...(Number(rows?.files) === 0 ? [] : [`${rows?.files} files are stored`]),
        ...(Number(rows?.chunks) === 0 ? [] : [`${rows?.chunks} chunks are stored`]),
      ];
      return { ...none, recoveryMs: performance.now() - began, problems };
    },
  },
];

/** Sends the head and half of the body of an upload, then ends the connection. */
async function abortedUpload({ installation, random }: Stage, { cookie }: Organization): Promise<void> {
  const origin = new URL(installation.origins[0] ?? '');
  const content = newReport();
  const head = [
    'POST /api/reports/upload HTTP/1.1',
    `Host: ${origin.host}`,
    `Origin: ${origin.origin}`,
    `Cookie: ${cookie}`,
    'Content-Type: multipart/form-data; boundary=half',
    `Content-Length: ${content.length + 1000}`,
    '',
    '--half',
    'Content-Disposition: form-data; name="stixFile"; filename="half.json"',
    'Content-Type: application/json',
    '',
    content.slice(0, Math.floor(content.length * (0.2 + 0.6 * random()))),
  ].join('\r\n');
  const socket = connect(Number(origin.port), origin.hostname);
  socket.on('error', () => undefined);
  socket.write(head);
  await sleep(150);
  socket.destroy();
}
