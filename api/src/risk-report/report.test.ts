import { mostReportSchedules, type OverviewMetrics, type Project } from '@riskboard/contract';
import type { OverviewChanges, ReportSchedule } from '@riskboard/contract/schemas';
import { newId, withOrganization } from '@riskboard/db';
import { addDays, formatDay } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTeam } from '../testing/accounts/team.ts';
import { csvLines } from '../testing/csv.ts';
import { whileHeld } from '../testing/held-row.ts';
import { makeAsset, makeProject, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle, strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let projectId: string;
const atRisk = { confidentialityLevel: 5, integrityLevel: 4, availabilityLevel: 4, criticality: 5 };
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  projectId = (await makeProject(ada, { name: 'Harbour <gate>' }))._id;
  const asset = await makeAsset(ada, projectId, { ...atRisk, name: 'Crane & winch' });
  await ada.post('/api/vulnerabilities', {
    name: '<script>alert("x")</script>',
    description: 'd',
    severity: 9.8,
    relatedAssets: [asset._id],
  });
  await ada.post('/api/vulnerabilities', { name: '=cmd|calc', description: 'd', severity: 5 });
});
afterAll(() => api.close());

const today = (): string => new Date().toISOString().slice(0, 10);
const report = (person: Person, query = '') => person.get(`/api/overview/report${query}`);
const table = (name: string, query = '') => ada.get(`/api/overview/report/table?table=${name}${query}`);

describe('the risk report', () => {
  it('has the numbers of the overview, its time and its author', async () => {
    const answer = await report(ada);
    const metrics = (await ada.get('/api/overview/metrics')).json<OverviewMetrics>();
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(`As of ${formatDay(metrics.asOf)}, ${metrics.asOf.slice(11, 16)} UTC`);
    expect(answer.body).toContain(
      `<td dir="auto">Overall Risk Score (${metrics.overallRisk.band})</td><td class="n">${metrics.overallRisk.value}</td>`,
    );
    expect(answer.body).toContain('<td dir="auto">Open Vulnerabilities</td><td class="n">2</td>');
    expect(metrics.headline).not.toEqual([]);
    for (const { text } of metrics.headline) expect(answer.body).toContain(text);
  });

  it('leads a browser whose cookie has expired to the page that renews the session, and no other client', async () => {
    const load = (url: string, mode: string) =>
      api.app.inject({ url, headers: { 'sec-fetch-mode': mode, accept: 'text/html' } });
    const loaded = await load(`/api/overview/report?projectId=${projectId}`, 'navigate');
    expect([loaded.statusCode, loaded.headers.location]).toEqual([
      303,
      `/dashboard/report?projectId=${projectId}`,
    ]);
    const batch = await load(`/api/batches/${projectId}/report`, 'navigate');
    expect([batch.statusCode, batch.headers.location]).toEqual([303, `/dashboard/batches/${projectId}`]);
    const others = [
      load('/api/overview/report', 'cors'),
      load('/api/overview/report/table?table=numbers', 'navigate'),
    ];
    for (const { statusCode } of await Promise.all(others)) expect(statusCode).toBe(401);
  });

  it('has no changes of numbers while there is no earlier recorded day', async () => {
    const { body } = await report(ada);
    expect(body).toContain('There is no earlier recorded day to compare with.');
    expect(body).toContain(
      '<td dir="auto">Open Vulnerabilities</td><td class="n">2</td><td class="n">N/A</td>',
    );
    const { body: csv } = await table('numbers');
    for (const text of [body, csv]) expect(text).not.toContain('no change');
    expect(csvLines(csv)).toContain('Open Vulnerabilities,2,');
  });

  it('shows the sign of a change, and has it as a number in the CSV', async () => {
    const { body } = await report(ada);
    expect(body).toContain('From 0 before the first recorded day to ');
    const { causes } = (
      await ada.get(`/api/overview/changes?measure=risk&from=${addDays(today(), -30)}&to=${today()}`)
    ).json<OverviewChanges>();
    const [found] = causes;
    expect(found?.delta).toBeGreaterThan(0);
    expect(body).toContain(`<td class="n">+${found?.delta}</td>`);
    expect(csvLines((await table('causes')).body)).toContain(
      `${found?.label},${found?.count},${found?.delta}`,
    );
    expect(body).toMatch(/<td class="n">−[\d.]+<\/td>/u);
    const actions = csvLines((await table('actions')).body);
    expect(actions.slice(1).every((line) => /,-[\d.]+$/u.test(line))).toBe(true);
  });

  it('writes days and units as the app does, and as plain values in the CSV', async () => {
    const { body } = await report(ada);
    expect(body).toContain(`<td dir="auto">${formatDay(today())}</td>`);
    expect(body).toMatch(/<td dir="auto">Remediation Rate<\/td><td class="n">[\d.]+%<\/td>/u);
    expect(body.replaceAll(/<style>.*?<\/style>/gsu, '')).not.toMatch(/\d{4}-\d\d-\d\d/u);
    expect(csvLines((await table('vulnerabilities')).body)[1]).toMatch(new RegExp(`,${today()}$`, 'u'));
    expect((await table('numbers')).body).toMatch(/^"Remediation Rate \(%\)","[\d.]+",""$/mu);
  });

  it('shows severities with one decimal, and as they are in the CSV', async () => {
    expect((await report(ada)).body).toContain('<td class="n">5.0</td>');
    const lines = csvLines((await table('vulnerabilities')).body);
    expect(lines.some((line) => /=cmd.*\b5\b(?!\.)/u.test(line))).toBe(true);
  });

  it('shows the state and the vignette of each CWSS score, and what to know before comparing them', async () => {
    const bob = await signUp(api);
    for (const name of ['Current', 'Stale', 'None'])
      await bob.post('/api/vulnerabilities', { name, description: 'd', severity: 9 });
    const score = (name: string, values: { applied_vignette: string; cwss_stale?: string[] }) =>
      withOrganization(api.database, bob.user.organizationId, (trx) =>
        trx
          .updateTable('vulnerability')
          .set({ cwss_score: 71.2, ...values })
          .where('name', '=', name)
          .execute(),
      );
    const readNote = async () =>
      /<h2>Open vulnerabilities<\/h2><p class="note">(.*?)<\/p>/u.exec((await report(bob)).body)?.[1];
    await score('Current', { applied_vignette: 'Shop' });
    expect(await readNote()).toMatch(/ Highest severity first\.$/u);
    await score('Stale', { applied_vignette: 'Bank', cwss_stale: ['cvss'] });
    expect(await readNote()).toMatch(
      / Stale CWSS scores were calculated from values or vignettes that have changed since\. CWSS scores of different vignettes are not comparable\.$/u,
    );
    const { body } = await report(bob);
    expect(body).toContain(
      '<td class="n">71.2</td><td dir="auto">Stale</td><td dir="auto" class="w">Bank</td>',
    );
    const [head, ...lines] = csvLines(
      (await bob.get('/api/overview/report/table?table=vulnerabilities')).body,
    );
    expect(head).toContain('CWSS of 100,CWSS state,Vignette');
    expect(lines.map((line) => line.split(',').slice(4, 7).join(','))).toEqual([
      ',,',
      '71.2,Stale,Bank',
      '71.2,Current,Shop',
    ]);
  });

  it('breaks the texts of reports and users into lines, so that no table is wider than the page', async () => {
    const bob = await signUp(api);
    const long = 'T'.repeat(81);
    const { _id } = await makeProject(bob, { name: long });
    await makeAsset(bob, _id, { ...atRisk, name: long });
    await bob.post('/api/threats', { name: long, threatId: long, description: 'd', riskLevel: 90 });
    await bob.post('/api/vulnerabilities', { name: long, description: 'd', severity: 9 });
    await bob.upload({ name: `${long}.json`, content: bundle() });
    await withOrganization(api.database, bob.user.organizationId, (trx) =>
      trx.updateTable('report_file').set({ stix_version: long }).execute(),
    );
    const { body } = await report(bob);
    const cells = [...body.matchAll(/<td[^>]*>[^<]*T{20,}[^<]*<\/td>/gu)].map(([cell]) => cell);
    expect(cells).toHaveLength(9);
    expect(cells.filter((cell) => !cell.includes('class="w"'))).toEqual([]);
  });

  it('says what a table without rows needs', async () => {
    const bob = await signUp(api);
    await bob.post('/api/vulnerabilities', { name: 'Without a category', description: 'd', severity: 9 });
    const { body } = await report(bob);
    expect(body).toContain('The table needs an open vulnerability with a category and a severity.');
    expect(body).toContain('<p>No uploaded reports.</p>');
  });

  it('runs no script, also when the name of a record is one', async () => {
    const { body, headers } = await report(ada);
    expect(body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(body).not.toContain('<script');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('has each table in a box that scrolls on a narrow screen and has a name', async () => {
    const { body } = await report(ada);
    expect(body).toContain('Past months are recalculated with the discovery and fix dates known today.');
    expect(body).toContain('<div class="wide" role="region" aria-label="Numbers" tabindex="0"><table>');
    expect(body.match(/<table>/gu)?.length).toBe(body.match(/<\/table><\/div>/gu)?.length);
  });

  it('of a project has only its records', async () => {
    const { body } = await report(ada, `?projectId=${projectId}`);
    expect(body).toContain('<h1>Risk report: Harbour &lt;gate&gt;</h1>');
    expect(body).toContain('Crane &amp; winch');
    expect(body).toContain('<td dir="auto">Open vulnerabilities</td><td class="n">1</td>');
    expect(body).not.toContain('=cmd');
  });

  it('has each table as CSV with the same rows, and a cell that a spreadsheet would run is escaped', async () => {
    const answer = await table('vulnerabilities');
    const lines = csvLines(answer.body);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('Severity');
    expect(lines[2]).toContain("'=cmd|calc");
    expect(answer.headers['content-disposition']).toMatch(
      /risk-report-vulnerabilities-\d{4}-\d\d-\d\d\.csv/u,
    );
    for (const name of [
      'numbers',
      'funnel',
      'categories',
      'exposure',
      'causes',
      'actions',
      'assets',
      'threats',
      'sources',
    ])
      expect([name, (await table(name)).statusCode]).toEqual([name, 200]);
  });

  it('refuses unknown projects, those of another organization, and tables that a project has not', async () => {
    const eve = await signUp(api);
    expect((await report(ada, `?projectId=${strangeId()}`)).statusCode).toBe(404);
    expect((await report(eve, `?projectId=${projectId}`)).statusCode).toBe(404);
    expect((await table('causes', `&projectId=${projectId}`)).statusCode).toBe(404);
    expect((await table('secrets')).statusCode).toBe(422);
    expect((await report(eve)).body).not.toContain('script&gt;');
  });
});

describe('the schedule of a risk report', () => {
  const schedules = async (person: Person) =>
    (await person.get('/api/overview/report/schedules')).json<{ schedules: ReportSchedule[] }>().schedules;
  const set = (person: Person, body: object) => put(person, '/api/overview/report/schedules', body);

  it('is of one member: every week on Monday, every month on its first day, or never', async () => {
    const month = (await set(ada, { projectId, every: 'month' })).json<ReportSchedule>();
    expect([month.projectName, month.nextAt?.slice(8)]).toEqual(['Harbour <gate>', '01T06:00:00.000Z']);
    const week = (await set(ada, { projectId: null, every: 'week' })).json<ReportSchedule>();
    expect(new Date(week.nextAt ?? 0).getUTCDay()).toBe(1);
    expect(Date.parse(week.nextAt ?? '')).toBeGreaterThan(Date.now());
    expect((await schedules(ada)).map(({ every }) => every)).toEqual(['week', 'month']);
    expect(await schedules(await signUp(api))).toEqual([]);
    await set(ada, { projectId, every: 'week' });
    await set(ada, { projectId: null, every: 'never' });
    expect((await schedules(ada)).map((one) => [one.projectId, one.every])).toEqual([[projectId, 'week']]);
  });

  it('is refused for an unknown project', async () => {
    expect((await set(ada, { projectId: strangeId(), every: 'week' })).statusCode).toBe(404);
  });

  it('is also set and ended by viewers, who may read the report', async () => {
    const viewer = await signUp(api);
    await set(viewer, { projectId: null, every: 'week' });
    await viewer.becomes('viewer');
    expect((await report(viewer)).statusCode).toBe(200);
    expect((await set(viewer, { projectId: null, every: 'never' })).statusCode).toBe(200);
    expect(await schedules(viewer)).toEqual([]);
  });

  it('of a project ends with the project', async () => {
    const { _id } = await makeProject(ada, { name: 'Short-lived' });
    await set(ada, { projectId: _id, every: 'week' });
    await ada.delete(`/api/projects/${_id}`);
    expect((await schedules(ada)).map((one) => one.projectId)).not.toContain(_id);
  });

  it('of a project is restored with the project, except of members who left meanwhile', async () => {
    const team = await makeTeam(api);
    const [owner, viewer, leaver] = [
      await team.join('owner'),
      await team.join('viewer'),
      await team.join('analyst'),
    ];
    const body = { name: 'Quay', description: 'Locks', startDate: '2026-01-01' };
    const { _id: id } = (await owner.call('POST', '/api/projects', body)).json<Project>();
    const stored = () =>
      team.inside((trx) => trx.selectFrom('report_schedule').selectAll().orderBy('id').execute());
    const url = '/api/overview/report/schedules';
    for (const member of [owner, viewer, leaver])
      await member.call('PUT', url, { projectId: id, every: 'week' });
    await owner.call('PUT', url, { projectId: null, every: 'month' });
    const before = await stored();
    expect(before).toHaveLength(4);
    await owner.call('DELETE', `/api/projects/${id}`);
    await team.inside((trx) =>
      trx.deleteFrom('membership').where('account_id', '=', leaver.accountId).execute(),
    );
    expect(await stored()).toMatchObject([{ every: 'month' }]);
    await owner.call('POST', '/api/projects/restore', { ids: [id] });
    expect(await stored()).toEqual(before.filter((one) => one.account_id !== leaver.accountId));
  });

  it('is refused beyond the limit of one member, also for two requests at once', async () => {
    const team = await makeTeam(api);
    const [member, other] = [await team.join('analyst'), await team.join('viewer')];
    const ids = Array.from({ length: mostReportSchedules + 1 }, () => newId());
    await team.inside(async (trx) => {
      await sql`
        insert into project (organization_id, id, name, description, start_date)
        select current_organization(), id, id::text, 'd', '2026-01-01'
        from unnest(${ids}::uuid[]) as project (id)`.execute(trx);
      await sql`
        insert into report_schedule (organization_id, account_id, project_id, every, next_at)
        select current_organization(), ${member.accountId}, id, 'week', now() + interval '1 day'
        from unnest(${ids.slice(2)}::uuid[]) as project (id)`.execute(trx);
    });
    const url = '/api/overview/report/schedules';
    const add = (projectId: string | undefined) => member.call('PUT', url, { projectId, every: 'week' });
    const answers = await whileHeld(
      api,
      {
        as: 'app',
        async take(trx) {
          await sql`select set_config('app.organization_id', ${team.organizationId}, true)`.execute(trx);
          await sql`select from membership where account_id = ${member.accountId} for no key update`.execute(
            trx,
          );
        },
      },
      [() => add(ids[0]), () => add(ids[1])],
    );
    expect(answers.map(({ statusCode }) => `${statusCode}`).toSorted()).toEqual(['200', '422']);
    expect(answers.find(({ statusCode }) => statusCode === 422)?.json()).toMatchObject({
      details: [{ path: 'every', message: 'You have at most 100 scheduled reports. Stop one first.' }],
    });
    const change = { projectId: ids[2], every: 'month' };
    expect((await member.call('PUT', url, change)).statusCode).toBe(200);
    expect((await other.call('PUT', url, change)).statusCode).toBe(200);
  });

  it('of a project is not restored beyond the limit of one member', async () => {
    const team = await makeTeam(api);
    const owner = await team.join('owner');
    const body = { name: 'Quay', description: 'Locks', startDate: '2026-01-01' };
    const { _id: id } = (await owner.call('POST', '/api/projects', body)).json<Project>();
    await owner.call('PUT', '/api/overview/report/schedules', { projectId: id, every: 'week' });
    await owner.call('DELETE', `/api/projects/${id}`);
    const ids = Array.from({ length: mostReportSchedules }, () => newId());
    await team.inside(async (trx) => {
      await sql`
        insert into project (organization_id, id, name, description, start_date)
        select current_organization(), id, id::text, 'd', '2026-01-01'
        from unnest(${ids}::uuid[]) as project (id)`.execute(trx);
      await sql`
        insert into report_schedule (organization_id, account_id, project_id, every, next_at)
        select current_organization(), ${owner.accountId}, id, 'week', now() + interval '1 day'
        from unnest(${ids}::uuid[]) as project (id)`.execute(trx);
    });
    expect((await owner.call('POST', '/api/projects/restore', { ids: [id] })).statusCode).toBe(200);
    const kept = await team.inside((trx) => trx.selectFrom('report_schedule').select('project_id').execute());
    expect(kept).toHaveLength(mostReportSchedules);
  });

  it('is refused for a project that is being deleted', async () => {
    const { _id } = await makeProject(ada, { name: 'Abandoned' });
    const [answer] = await whileHeld(
      api,
      {
        as: 'app',
        async take(trx) {
          await sql`select set_config('app.organization_id', ${ada.user.organizationId}, true)`.execute(trx);
          await sql`delete from project where id = ${_id}`.execute(trx);
        },
      },
      [() => set(ada, { projectId: _id, every: 'week' })],
    );
    expect(answer?.statusCode).toBe(404);
  });
});
