import { activity, assets, type AssetDetail } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { assetDetailOf } from '../../../testing/records.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
beforeEach(() => void fakeApi());

async function open(change: Partial<AssetDetail> = {}) {
  const detail = assetDetailOf(change);
  server.use(
    answer(assets.get, () => detail),
    answer(activity.list, () => ({
      activity: [],
      searchedSince: null,
      total: 0,
      page: 1,
      pageSize: 10,
      nextCursor: null,
    })),
  );
  const visited = visit(`/dashboard/assets/${detail._id}`);
  await screen.findByRole('heading', { level: 1, name: detail.name });
  return { detail, ...visited };
}

const card = (name: string) => within(screen.getByRole('region', { name }));

/** Value of a fact of a card by its name. */
const fact = (region: string, name: string) =>
  card(region)
    .getAllByRole('term')
    .find((term) => term.textContent === name)?.nextElementSibling?.textContent;

const relatedThreat = (n: number, riskLevel: number | null) => ({
  _id: newId(),
  name: `Threat ${n}`,
  description: '',
  riskLevel,
});

describe('the page of an asset (spec 2, Asset detail)', () => {
  it('shows type, health, criticality, state and the project in its header', async () => {
    const { detail } = await open({ health: 'Warning', criticality: 3, isActive: false });
    const badges = screen.getByRole('heading', { level: 1 }).nextElementSibling;
    expect(badges?.textContent).toBe('NetworkWarningBusiness CriticalInactivePerimeter');
    const link = within(badges as HTMLElement).getByRole('link', { name: 'Perimeter' });
    expect(link.getAttribute('href')).toBe(`/dashboard/projects/${detail.projectId}`);
  });

  it.each([
    [5, 'Mission Critical', 'Critical', 'Critical'],
    [4, 'Mission Critical', 'Critical', 'Critical'],
    [3, 'Business Critical', 'High', 'High'],
    [2, 'Operational', 'Moderate', 'Medium'],
    [1, 'Operational', 'Moderate', 'Low'],
  ])('says of criticality %i: %s, impact %s, priority %s', async (criticality, text, impact, priority) => {
    await open({ criticality });
    card('Criticality').getByText(text);
    expect(fact('Criticality', 'Impact')).toBe(impact);
    expect(fact('Criticality', 'Priority')).toBe(priority);
  });

  it('says that no criticality is set', async () => {
    await open({ criticality: null });
    const text = 'Not set. Set the criticality to see its impact and priority.';
    expect(card('Criticality').getByText(text)).toBeDefined();
  });

  it('shows confidentiality out of 5, integrity and availability out of 4, with their descriptions', async () => {
    await open({
      confidentialityLevel: 4,
      confidentialityDescription: 'Personal data.',
      integrityLevel: 2,
      availabilityLevel: null,
    });
    const values = card('Security profile')
      .getAllByRole('term')
      .map((term) => [term.textContent, term.parentElement?.querySelector('dd')?.textContent]);
    expect(values).toEqual([
      ['Confidentiality', '4 / 5Restricted'],
      ['Integrity', '2 / 4Medium'],
      ['Availability', 'Not set'],
    ]);
    card('Security profile').getByText('Personal data.');
  });

  it.each([
    [5000, '$5K Minimal, under $10K', '5,000 USD'],
    [999, '$999', '999 USD'],
    [31_500, '$31.5K', '31,500 USD'],
    [1_000_000, '$1.0M', '1,000,000 USD'],
    [2_000_000, '$2.0M Very High, over $1M', '2,000,000 USD'],
  ])('shows a cost of %d as %s', async (replacementCost, text, exact) => {
    await open({ replacementCost });
    expect(fact('Business impact', 'Replacement cost')).toBe(text);
    card('Business impact').getByTitle(exact);
  });

  it('lists the worst threats and vulnerabilities as links, and leads to all of them', async () => {
    const threats = Array.from({ length: 9 }, (_, n) => relatedThreat(n, 90 - n));
    const vulnerability = {
      _id: newId(),
      name: 'Log4Shell',
      description: '',
      severity: 5,
      cvssScore: 10,
      status: 'open',
    };
    const { detail } = await open({
      threats,
      threatCount: 1203,
      vulnerabilities: [vulnerability],
      vulnerabilityCount: 1,
    });
    const related = within(card('Threat scenario').getByRole('region', { name: 'Related threats' }));
    const items = related.getAllByRole('listitem');
    expect(items).toHaveLength(8);
    expect(items[0]?.textContent).toBe('Threat 090 High');
    expect(
      within(items[0] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/dashboard/threats/${threats[0]?._id}`);
    expect(related.getByRole('link', { name: 'Show 1,203 threats' }).getAttribute('href')).toBe(
      `/dashboard/threats?assetId=${detail._id}`,
    );
    const weak = within(card('Threat scenario').getByRole('region', { name: 'Related vulnerabilities' }));
    expect(weak.getByRole('listitem').textContent).toBe('Log4Shell10.0 CriticalOpen');
    expect(weak.getByRole('link', { name: 'Show 1 vulnerability' }).getAttribute('href')).toBe(
      `/dashboard/vulnerabilities?assetId=${detail._id}`,
    );
  });

  it('says that nothing is related', async () => {
    await open();
    expect(card('Threat scenario').getByText('No related threats.')).toBeDefined();
    expect(card('Threat scenario').getByText('No related vulnerabilities.')).toBeDefined();
    expect(card('Threat scenario').queryByRole('link', { name: /^Show/u })).toBeNull();
  });

  it('says what failed and what to do, and offers to try again', async () => {
    server.use(answer(assets.get, () => refusal('internal')));
    visit(`/dashboard/assets/${newId()}`);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Error Loading Asset');
    expect(alert.textContent).toContain('Unable to load asset details. Please try again later.');
    screen.getByRole('button', { name: 'Retry' });
  });

  it('says that the asset does not exist, without Retry', async () => {
    server.use(answer(assets.get, () => refusal('not_found', 'Asset not found.')));
    visit(`/dashboard/assets/${newId()}`);
    await screen.findByText('Asset not found.');
    expect(screen.queryByText(/Unable to load asset details/u)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(screen.getByRole('link', { name: 'All assets' }).getAttribute('href')).toBe(
      '/dashboard/assets?view=none',
    );
  });
});
