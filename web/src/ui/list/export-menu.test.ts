import { vulnerabilities, vulnerabilityList } from '@riskboard/contract';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { newId } from '../../testing/rows.ts';
import { useServer } from '../../testing/server.ts';
import { defineListSource } from './define-list-source.ts';
import { defineListView } from './define-list-view.ts';
import { exportCommands } from './export-menu.tsx';
import type { ListControl } from './list-control.ts';

useServer();

const source = defineListSource({
  route: '/dashboard/vulnerabilities',
  noun: 'vulnerabilities',
  list: vulnerabilityList,
  calls: { list: vulnerabilities.list, facets: vulnerabilities.facets, export: vulnerabilities.export },
  rows: (reply) => reply.vulnerabilities,
});
const view = defineListView(source, {
  label: 'Vulnerabilities',
  nouns: { one: 'vulnerability', many: 'vulnerabilities' },
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: [],
  texts: { empty: 'None.', failure: 'Failed.' },
});
const list = { view, state: source.initial, onState: () => undefined } as unknown as ListControl;

/** Commands for so many selected rows, with all columns. */
function commandsOf(count: number) {
  const ids = Array.from({ length: count }, () => newId());
  const selected = { count, selection: { ids }, names: [], clear: () => () => undefined };
  return exportCommands(list, { columns: Object.keys(source.fields), selected });
}

it('the longest address of an export of selected rows fits into the request line of a proxy', async () => {
  fakeApi();
  let address: URL | undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    address = new URL(this.href);
  });
  const allowed = [...Array.from({ length: 300 }).keys()].findLast((count) =>
    commandsOf(count).every(({ refusal }) => refusal === undefined),
  );
  commandsOf(allowed ?? 0)[0]?.run();
  await vi.waitFor(() => expect(address?.search).toContain('ids='));
  expect(`GET ${address?.pathname}${address?.search} HTTP/1.1\r\n`.length).toBeLessThan(8192);
});
