import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorReply } from '@riskboard/contract';
import { reports } from '@riskboard/contract/schemas';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { bundle, stixXml, uploadReport } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { fileWithContent } from './download.ts';
import { selectFiles } from './files.ts';

/** Current and maximum number of concurrent conversions to JSON, until their process has ended. */
const forms = vi.hoisted(() => ({ now: 0, most: 0 }));
vi.mock('./xml-to-json.ts', async (original) => {
  const real = await original<typeof import('./xml-to-json.ts')>();
  const xmlToJson: typeof real.xmlToJson = async (xml) => {
    forms.now += 1;
    forms.most = Math.max(forms.most, forms.now);
    const left = () => void (forms.now -= 1);
    try {
      const form = await real.xmlToJson(xml);
      void form.ended.then(left);
      return form;
    } catch (error) {
      left();
      throw error;
    }
  };
  return { ...real, xmlToJson };
});

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => api.close());

const upload = async (name: string, content?: string | Buffer): Promise<string> =>
  (await uploadReport(ada, name, content))._id;

describe('a file with its content', () => {
  it('is the JSON of the report without its byte order mark', async () => {
    const _id = await upload('marked.json', `\uFEFF${bundle()}`);
    await worker.read(_id, {});
    const answer = await ada.get(`/api/reports/files/${_id}`);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(() => reports.file.reply[200]['application/json'].parse(answer.json())).not.toThrow();
    expect(answer.json()).toMatchObject({
      _id,
      originalFilename: 'marked.json',
      content: JSON.parse(bundle()),
    });
  });

  it('is the JSON of a report in UTF-16', async () => {
    const _id = await upload('wide.json', Buffer.from(`\uFEFF${bundle('wïde')}`, 'utf16le'));
    await worker.read(_id, {});
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(file.content).toEqual(JSON.parse(bundle('wïde')));
  });

  it('is the JSON form of XML, every value as written', async () => {
    const _id = await upload('report.xml', stixXml);
    await worker.read(_id, {});
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(file.content).toMatchObject({
      'stix:STIX_Package': {
        '@version': '1.2',
        'stix:STIX_Header': { 'stix:Title': 'Tea & 007' },
      },
    });
  });

  it('of XML is converted one at a time per organization, and two at once in total', async () => {
    const [eve, kim] = [await signUp(api), await signUp(api)];
    const _id = await upload('report.xml', stixXml);
    await worker.read(_id, {});
    const readAs = async (person: Person): Promise<string> => {
      const stored = await person.upload({ name: 'report.xml', content: stixXml });
      const { _id: id } = stored.json<{ _id: string }>();
      await asWorker(api, person).read(id, {});
      return id;
    };
    const [other, third] = [await readAs(eve), await readAs(kim)];
    const times = (person: Person, id: string) =>
      Array.from({ length: 4 }, () => person.get(`/api/reports/files/${id}`));
    const mostOf = async (calls: ReturnType<Person['get']>[]) => {
      forms.most = 0;
      expect((await Promise.all(calls)).map((answer) => answer.statusCode)).toEqual(calls.map(() => 200));
      return forms.most;
    };
    expect(await mostOf(times(ada, _id))).toBe(1);
    expect(await mostOf([...times(ada, _id), ...times(eve, other), ...times(kim, third)])).toBe(2);
  });

  describe('of XML that is larger than a MiB', () => {
    const text = 'ä"'.repeat(800_000);
    const xml = stixXml.replace('Tea', text);

    /** An organization with this report, as a reply that no client reads yet. */
    async function unread(person: Person) {
      const stored = await person.upload({ name: 'large.xml', content: xml });
      const { _id: id } = stored.json<{ _id: string }>();
      const own = asWorker(api, person);
      await own.read(id, {});
      const row = await own.inside((trx) =>
        selectFiles(trx).where('report_file.id', '=', id).executeTakeFirst(),
      );
      if (!row) throw new Error('There is no such file.');
      const view = () => fileWithContent({ database: api.database, disk: api.app.disk }, row);
      const contents = () =>
        own.inside(async (trx) => {
          const { rows } = await sql<{ n: number }>`select count(*)::int as n from file_content`.execute(trx);
          return rows[0]?.n;
        });
      return { id, view, contents };
    }

    it('is complete, and its form is deleted when it was sent', async () => {
      const { id, contents } = await unread(ada);
      const answer = await ada.get(`/api/reports/files/${id}`);
      const { content } = answer.json<{ content: Record<string, Record<string, Record<string, string>>> }>();
      expect(content['stix:STIX_Package']?.['stix:STIX_Header']?.['stix:Title']).toBe(`${text} & 007`);
      await vi.waitFor(async () => expect(await contents()).toBe(1));
    });

    it('does not delay other organizations while its clients do not read', async () => {
      const held = [await unread(ada), await unread(await signUp(api)), await unread(await signUp(api))];
      const replies = await Promise.all(held.map(({ view }) => view()));
      expect(forms.now).toBe(0);
      const kim = await signUp(api);
      const { id } = await unread(kim);
      expect((await kim.get(`/api/reports/files/${id}`)).statusCode).toBe(200);
      for (const reply of replies) reply.destroy();
      for (const { contents } of held) await vi.waitFor(async () => expect(await contents()).toBe(1));
    });

    it('waits for other replies of its own organization only', async () => {
      const { id, view } = await unread(ada);
      const replies = [await view(), await view(), await view()];
      const fourth = ada.get(`/api/reports/files/${id}`);
      expect(await Promise.race([fourth, sleep(300, 'waits')])).toBe('waits');
      replies[0]?.destroy();
      expect((await fourth).statusCode).toBe(200);
      for (const reply of replies) reply.destroy();
    });

    it('ends after five minutes without a reader, and its form is deleted', async () => {
      const { view, contents } = await unread(ada);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const reply = await view();
      expect(await contents()).toBe(2);
      const minute = 60_000;
      vi.advanceTimersByTime(5 * minute - 1);
      expect(reply.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(reply.destroyed).toBe(true);
      vi.useRealTimers();
      await vi.waitFor(async () => expect(await contents()).toBe(1));
    });

    it('is 507 when the disk of the database is full, and nothing is kept', async () => {
      const { id, contents } = await unread(ada);
      vi.spyOn(api.app.disk, 'isTooFullFor').mockResolvedValue(true);
      expect((await ada.get(`/api/reports/files/${id}`)).statusCode).toBe(507);
      vi.restoreAllMocks();
      expect(await contents()).toBe(1);
    });
  });

  it('is 422 when XML has no JSON form, without a partial answer', async () => {
    const deep = `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`;
    const _id = await upload('deep.xml', stixXml.replace('Tea', `x${deep}`));
    await worker.read(_id, {});
    const answer = await ada.get(`/api/reports/files/${_id}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().message).toContain('download the original');
  });

  it('is its text, with quotes escaped, when it could not be read', async () => {
    const broken = `${bundle().slice(0, -3)}"\\ ï 🔑`;
    const _id = await upload('broken.json', broken);
    await worker.endParse(_id, 'failed');
    const file = (await ada.get(`/api/reports/files/${_id}`)).json<Record<string, unknown>>();
    expect(file).toMatchObject({ parseState: 'failed', parseError: 'Line 3 is not STIX.', content: broken });
  });

  it('is complete over many chunks, also where a character spans two', async () => {
    const content = `{"type":"bundle","id":"bundle--1","x":"${'é🔑'.repeat(400_000)}","objects":[]}`;
    const _id = await upload('large.json', content);
    const unread = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: string }>();
    expect(unread.content === content).toBe(true);
    await worker.read(_id, {});
    const read = (await ada.get(`/api/reports/files/${_id}`)).json<{ content: unknown }>();
    expect(JSON.stringify(read.content) === content).toBe(true);
  });

  describe('that is replaced or deleted during the download', () => {
    /** Deletes the last chunk, as a replacement deletes those that are not read yet. */
    const dropLastChunk = () =>
      worker.inside((trx) =>
        sql`delete from file_chunk where n = (select max(n) from file_chunk)`.execute(trx),
      );
    const large = JSON.stringify({ type: 'bundle', id: 'bundle--1', x: 'x'.repeat(2_000_000), objects: [] });

    it.each(['', '/raw'])('ends the transfer with an error, not with a shorter file: %s', async (form) => {
      const _id = await upload('large.json', large);
      await worker.read(_id, {});
      await dropLastChunk();
      await expect(ada.get(`/api/reports/files/${_id}${form}`)).rejects.toThrow(/destroyed|aborted/u);
    });

    it('is 409 for XML, which is read before it is sent', async () => {
      const _id = await upload('report.xml', stixXml);
      await worker.read(_id, {});
      await dropLastChunk();
      const answer = await ada.get(`/api/reports/files/${_id}`);
      expect(answer.json()).toMatchObject({
        statusCode: 409,
        message: 'The file was replaced or deleted while it was read.',
      });
    });
  });

  it('of an unknown file is 404 with the message of the specification', async () => {
    const answer = await ada.get(`/api/reports/files/${crypto.randomUUID()}`);
    expect(answer.json()).toMatchObject({ statusCode: 404, message: 'Failed to retrieve file' });
  });
});
