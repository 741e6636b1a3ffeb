import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Person, signUp, visitor } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let admin: pg.Client;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  admin = new pg.Client({ connectionString: api.clone.adminUrl });
  await admin.connect();
  await admin.query(`
    create function no_space_row() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create function no_space_table() returns event_trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
});
afterEach(() => release());
afterAll(async () => {
  await admin.end();
  await api.close();
});

/** PostgreSQL answers as it does when its disk is full: to each chunk of a report, and to each new table. */
const fill = () =>
  admin.query(`
    create trigger no_space before insert on file_chunk for each row execute function no_space_row();
    create event trigger no_space on ddl_command_start execute function no_space_table()`);
const release = () =>
  admin.query('drop event trigger if exists no_space; drop trigger if exists no_space on file_chunk');

const upload = () => ada.upload({ name: 'large.json', content: bundle() });
const ready = () => visitor(api).get('/api/health/ready');

describe('while the disk of the database is full', () => {
  it('an upload is 507 and says "disk full", and nothing of it is stored', async () => {
    await fill();
    const refused = await upload();
    expect(refused.statusCode).toBe(507);
    expect(refused.json()).toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/disk full/iu),
    });
    const { rows } = await admin.query('select (select count(*) from file_content)::int as contents');
    expect(rows).toEqual([{ contents: 0 }]);
    expect((await ada.get('/api/reports/files')).json()).toMatchObject({ total: 0 });
  });

  it('readiness names the disk until a write succeeds again', async () => {
    await fill();
    await upload();
    const full = await ready();
    expect(full.statusCode).toBe(503);
    expect(full.json()).toMatchObject({ details: [{ path: 'disk', message: 'disk full' }] });
    await release();
    // A check is shared for a second.
    await vi.waitFor(async () => expect((await ready()).statusCode).toBe(200), { interval: 200 });
    expect((await upload()).statusCode).toBe(201);
  });
});
