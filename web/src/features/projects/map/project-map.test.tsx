import { projects, type ProjectMap as MapReply } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { mapSummary } from './map-graph.ts';
import { ProjectMap } from './project-map.tsx';

useServer();
beforeEach(() => void fakeApi());

const [id, other] = [newId(), newId()];
const nodeOf = (name: string, change: Partial<MapReply['nodes'][number]> = {}) => ({
  _id: newId(),
  name,
  riskScore: 2,
  health: 'Healthy' as const,
  projectId: id,
  projectName: 'Harbour',
  ...change,
});
const [crane, kiosk, rack] = [
  nodeOf('Crane', { riskScore: 8, health: 'Critical' }),
  nodeOf('Kiosk'),
  nodeOf('Rack', { projectId: other, projectName: 'Quay', health: 'Warning', riskScore: 4 }),
];
const map: MapReply = {
  nodes: [crane, kiosk, rack],
  edges: [
    { from: crane._id, to: kiosk._id },
    { from: kiosk._id, to: rack._id },
  ],
  total: 2,
  leftOut: 0,
  truncated: false,
};

const rows = () =>
  within(screen.getByRole('table', { name: 'Assets of the map' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join(' | '));

describe('the dependency map of a project', () => {
  it('is also a table, worst first, which opens the assets', async () => {
    server.use(answer(projects.map, () => map));
    renderPart(<ProjectMap id={id} />);
    await screen.findByText('2 assets, and 1 of other projects.');
    expect(rows()).toEqual([
      'Crane | Harbour | 8.0 High Risk | Critical | 1 | 0',
      'Rack | Quay | 4.0 Medium Risk | Warning | 0 | 1',
      'Kiosk | Harbour | 2.0 Low Risk | Healthy | 1 | 1',
    ]);
    expect(screen.getByRole('link', { name: 'Rack' }).getAttribute('href')).toBe(
      `/dashboard/assets/${rack._id}`,
    );
  });

  it('says how many assets it leaves out', () => {
    expect(mapSummary({ ...map, total: 100_000, leftOut: 98_500, nodes: [crane] }, id)).toBe(
      'The 1,500 of 100,000 assets with the highest risk scores; 98,500 are left out.',
    );
  });

  it('of a project without assets says so', async () => {
    server.use(answer(projects.map, () => ({ ...map, nodes: [], edges: [], total: 0 })));
    renderPart(<ProjectMap id={id} />);
    expect(await screen.findByText('No assets found.')).toBeDefined();
  });

  it('that failed to load can be loaded again', async () => {
    server.use(answer(projects.map, () => refusal('internal')));
    const { user } = renderPart(<ProjectMap id={id} />);
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Failed to load the dependency map.');
    server.use(answer(projects.map, () => map));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table', { name: 'Assets of the map' })).toBeDefined();
  });
});
