import { threats, type ThreatDetail } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, type FakeApi } from '../../../testing/fake-api.ts';
import { answerThreat, relatedRecordOf, sourceOf } from '../../../testing/record-api.ts';
import { threatDetailOf } from '../../../testing/records.ts';
import { newId } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();
let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});

/** Value of a fact by its name. */
function fact(name: string): Element | null | undefined {
  const facts = within(screen.getByRole('region', { name: 'Facts' }));
  return facts.getAllByRole('term').find((one) => one.textContent.startsWith(name))?.nextElementSibling;
}

async function open(change: Partial<ThreatDetail> = {}, rest: object = {}) {
  const detail = threatDetailOf(change);
  answerThreat({ detail, ...rest });
  const visited = visit(`/dashboard/threats/${detail._id}`);
  await screen.findByRole('heading', { level: 1, name: detail.name });
  return { detail, ...visited };
}

describe('threat page', () => {
  it('shows badges for type and risk, and every field', async () => {
    await open({
      threatTypeId: 2,
      riskLevel: 61,
      motivation: 3,
      motivationDescription: 'Money.',
      capability: 1,
      likelihood: 4,
      impact: 5,
      impactDescription: 'The plant stops.',
      threatCategory: 'Fraud',
      source: 'Analyst',
      mitigationStrategy: 'Two people for every payment.',
      isActive: false,
    });
    const badges = screen.getByRole('heading', { level: 1 }).nextElementSibling;
    expect(badges?.textContent).toBe('Phishing61 HighInactiveS0367');
    const facts = [
      ['Risk level', '61 High'],
      ['Risk score', '6.1 / 10'],
      ['State', 'Inactive'],
      ['Type', 'Phishing'],
      ['Threat ID', 'S0367'],
      ['Motivation', 'HighMoney.'],
      ['Capability', 'Low'],
      ['Likelihood', 'High'],
      ['Impact', 'Very HighThe plant stops.'],
      ['Category', 'Fraud'],
      ['Source', 'Analyst'],
    ] as const;
    expect(facts.map(([name]) => [name, fact(name)?.textContent])).toEqual(facts);
    const controls = screen.getByRole('heading', { name: 'Compensating Controls' });
    expect(controls.nextElementSibling?.textContent).toBe('Two people for every payment.');
  });

  it('shows five of many references, and the others on demand', async () => {
    const references = Array.from({ length: 30 }, (_, at) => ({ url: `https://example.org/${at}` }));
    const { user } = await open({ details: { references } });
    const card = within(await screen.findByRole('region', { name: 'Also in the reports' }));
    const more = card.getByText('25 more');
    expect(card.getByText('https://example.org/4').closest('details')).toBeNull();
    expect(card.getByText('https://example.org/5').closest('details')?.open).toBe(false);
    await user.click(more);
    expect(card.getByText('https://example.org/29').closest('details')?.open).toBe(true);
  });

  it('has no badge for a missing risk level, which would be an unlabeled N/A', async () => {
    await open({ riskLevel: null });
    const badges = screen.getByRole('heading', { level: 1 }).nextElementSibling;
    expect(badges?.textContent).not.toContain('N/A');
  });

  it.each([
    { riskLevel: 30, badge: '30 Low' },
    { riskLevel: 31, badge: '31 Medium' },
    { riskLevel: 60, badge: '60 Medium' },
    { riskLevel: 100, badge: '100 High' },
  ])('shows risk level $riskLevel as $badge (spec 9)', async ({ riskLevel, badge }) => {
    await open({ riskLevel });
    expect(fact('Risk level')?.textContent).toBe(badge);
  });

  it('shows how a derived risk level is calculated', async () => {
    await open({ riskLevel: 80, riskLevelSource: 'derived', likelihood: 4, impact: 5 });
    expect(fact('Risk level')?.textContent).toBe('80 High4 × likelihood × impact');
  });

  it.each([
    { id: 'T1566.001', address: 'https://attack.mitre.org/techniques/T1566/001/' },
    { id: 'G0016', address: 'https://attack.mitre.org/groups/G0016/' },
    { id: 'CAPEC-98', address: 'https://capec.mitre.org/data/definitions/98.html' },
    { id: 'AML.T0051', address: undefined },
  ])('links $id to its catalogue entry, if its catalogue is known', async ({ id, address }) => {
    await open({ threatID: id });
    const link = fact('Threat ID')?.querySelector('a');
    expect(link?.getAttribute('href')).toBe(address);
    expect(link?.getAttribute('rel') ?? 'noopener noreferrer').toBe('noopener noreferrer');
  });

  it('shows related assets, sources and further details from the reports', async () => {
    const asset = { _id: newId(), name: 'Mail gateway', description: '' };
    await open(
      {
        imported: true,
        relatedAssets: [asset],
        details: {
          aliases: ['Geodo', 'Heodo'],
          tlp: 'TLP:AMBER',
          references: [{ sourceName: 'blog', url: 'https://example.org/emotet' }],
        },
      },
      { sources: [sourceOf({ type: 'malware', fields: { name: 'Emotet' } })] },
    );
    await screen.findByRole('region', { name: 'Relation graph' });
    within(screen.getByRole('region', { name: 'Related assets' })).getByText('Mail gateway');
    await within(await screen.findByRole('region', { name: 'Sources' })).findByText('Found in 1 report.');
    const also = within(screen.getByRole('region', { name: 'Also in the reports' }));
    also.getByText('Geodo');
    also.getByText('TLP:AMBER');
    expect(also.getByRole('link', { name: /example\.org\/emotet/u }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
  });

  it('shows the vulnerabilities that reports relate to it, each with the reports', async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    const related = relatedRecordOf('CVE-2026-0001', {
      score: 9.8,
      relations: [
        { type: 'exploits', fileId: first, file: 'first.json' },
        { type: 'exploits', fileId: second, file: 'second.json' },
        { type: 'targets', fileId: third, file: 'third.xml' },
      ],
      relationTotal: 4,
    });
    await open({ imported: true }, { related: [related, relatedRecordOf('CVE-2026-0002')] });
    const card = within(await screen.findByRole('region', { name: 'Related vulnerabilities' }));
    expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'CVE-2026-00019.8 Criticalexploits · first.json, second.jsontargets · third.xml1 more relation',
      'CVE-2026-0002exploits · report.json',
    ]);
    expect(card.getByText('2')).toBeDefined();
    const addressOf = (name: string) => card.getByRole('link', { name }).getAttribute('href');
    expect(addressOf('CVE-2026-0001')).toBe(`/dashboard/vulnerabilities/${related._id}`);
    expect(addressOf('third.xml')).toBe(`/dashboard/reports/${third}`);
  });

  it('says how many related vulnerabilities are listed', async () => {
    const detail = threatDetailOf({ imported: true });
    answerThreat({ detail });
    server.use(answer(threats.related, () => ({ related: [relatedRecordOf('CVE-2026-0001')], total: 230 })));
    visit(`/dashboard/threats/${detail._id}`);
    const card = within(await screen.findByRole('region', { name: 'Related vulnerabilities' }));
    card.getByText('First 1 by name');
    expect(card.getByRole('heading').nextElementSibling?.textContent).toBe('230');
  });

  it.each([
    { of: 'a threat of a report', imported: true, times: 1 },
    { of: 'a threat that a user created', imported: false, times: 0 },
  ])('shows no card without related vulnerabilities of $of: $times requests', async ({ imported, times }) => {
    const detail = threatDetailOf({ imported });
    answerThreat({ detail });
    const requests = counted(threats.related, () => ({ related: [], total: 0 }));
    visit(`/dashboard/threats/${detail._id}`);
    await screen.findByRole('region', { name: 'Relation graph' });
    await waitFor(() => expect(requests.times).toBe(times));
    expect(screen.queryByRole('region', { name: 'Related vulnerabilities' })).toBeNull();
  });

  it.each(['threat.changed', 'vulnerability.changed', 'file.changed'] as const)(
    'fetches the related vulnerabilities again after %s',
    async (type) => {
      const replies = answerThreat({ detail: threatDetailOf({ imported: true }) });
      const { connected } = visit(`/dashboard/threats/${replies.detail._id}`);
      await screen.findByRole('region', { name: 'Relation graph' });
      await connected();
      replies.related = [relatedRecordOf('CVE-2026-0001')];
      api.publish({ type, count: 1, action: 'updated', by: null });
      expect(await screen.findByRole('link', { name: 'CVE-2026-0001' })).toBeDefined();
    },
  );

  it('links to the list when the threat does not exist', async () => {
    server.use(answer(threats.get, () => refusal('not_found')));
    visit(`/dashboard/threats/${newId()}`);
    await screen.findByText('Error Loading Threat');
    const link = await screen.findByRole('link', { name: 'All threats' });
    expect(link.getAttribute('href')).toBe('/dashboard/threats?view=none');
  });

  it('says that the threat was deleted elsewhere, and does not request its parts again', async () => {
    const { detail, connected } = await open({ name: 'Emotet', description: 'A botnet.' });
    await screen.findByRole('region', { name: 'Relation graph' });
    await connected();
    const { _id: id } = detail;
    const publish = () =>
      api.publish({ type: 'threat.changed', ids: [id], count: 1, action: 'deleted', by: null });
    const requests = counted(threats.get, () => refusal('not_found'));
    publish();
    await screen.findByText('This threat was deleted');
    screen.getByRole('heading', { level: 1, name: 'Emotet' });
    screen.getByRole('link', { name: 'All threats' });
    for (const name of ['Delete', 'Download']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    expect(screen.queryByText('A botnet.')).toBeNull();

    const graphs = counted(threats.graph, () => refusal('not_found'));
    publish();
    await waitFor(() => expect(requests.times).toBe(2));
    expect(graphs.times).toBe(0);
  });
});
