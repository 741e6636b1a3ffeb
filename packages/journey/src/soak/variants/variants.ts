import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { json, reportWith } from '../clients/calls.ts';
import { type Crowd, openActor, uploadReport } from '../clients/client.ts';
import type { Installation } from '../../installation/installation.ts';

interface Scene {
  installation: Installation;
  /** Sees every organization. */
  admin: Client;
  crowd: (client: number) => Crowd;
}

const pairs = 12;

/** Waits for a row of a statement. @throws after 100 s without one */
async function until(admin: Client, statement: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const { rowCount } = await admin.query(statement);
    if (rowCount !== null && rowCount > 0) return;
    await sleep(50);
  }
  throw new Error(`No row within 100 s: ${statement}`);
}

/** Naive ways to build the product, each with what shows that it is wrong. `replace-source.ts` has their code. */
export const provoke = {
  /** Two uploads of one name at once find no file, and each creates one. */
  async 'no-unique-key'({ admin, crowd }) {
    await admin.query('alter table report_file drop constraint report_file_organization_id_name_key_key');
    const [one, other] = [await openActor(crowd(0), 0), await openActor(crowd(1), 1)];
    for (let n = 0; n < pairs; n += 1) {
      const name = `pair-${n}.json`;
      await Promise.all(
        [one, other].map((actor) => uploadReport(actor, { name, content: reportWith(2, n), extract: '' })),
      );
    }
  },

  /** A run writes its results without a check that the job is still its own. */
  async 'no-fence'({ installation, admin, crowd }) {
    const actor = await openActor(crowd(0), 0);
    const [first, second] = installation.workers;
    const upload = await uploadReport(actor, {
      name: 'fence.json',
      content: reportWith(20, 500),
      extract: '',
    });
    const id = upload.body['_id'] as string;
    await until(admin, `select from job where file_id = '${id}' and state = 'succeeded'`);
    first?.freeze();
    second?.freeze();
    await actor.session.send('/reports/extract', json('POST', { id }));
    await admin.query('begin');
    await admin.query(`select from report_file where id = '${id}' for no key update`);
    first?.resume();
    await until(
      admin,
      `select from job where file_id = '${id}' and kind = 'stix.extract' and state = 'running' and exists (
        select from pg_stat_activity where wait_event_type = 'Lock')`,
    );
    first?.freeze();
    await admin.query('commit');
    second?.resume();
    const isTakenOver = `select from job where file_id = '${id}' and kind = 'stix.extract' and attempt = 2`;
    await until(admin, isTakenOver);
    first?.resume();
    await until(admin, `${isTakenOver} and state = 'succeeded'`);
    // The second run of the two ends.
    await sleep(1000);
  },

  /** Commits, then enqueues; no sweep finds the job whose message was lost. */
  async 'no-sweep'({ installation, crowd }) {
    const actor = await openActor(crowd(0), 0);
    await installation.redis?.cut();
    await uploadReport(actor, { name: 'sweep.json', content: reportWith(2, 900), extract: '' });
    await sleep(1500);
    await installation.redis?.restore();
  },
} as const satisfies Record<string, (scene: Scene) => Promise<void>>;

export type VariantName = keyof typeof provoke;
