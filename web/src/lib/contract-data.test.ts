import * as contract from '@riskboard/contract';
import { describe, expect, it } from 'vitest';
import { contractModule } from '../../contract-data.ts';

/** What the browser gets, by name. */
const data = (await import(`data:text/javascript,${encodeURIComponent(contractModule)}`)) as Record<
  string,
  Record<string, unknown>
>;

describe('the contract in the browser', () => {
  it.each(Object.entries(contract.contract))('knows every endpoint of %s', (name, table) => {
    const noun = Object.entries(contract).find(([, value]) => value === table)?.[0] ?? name;
    const told = Object.entries(table as contract.EndpointTable).map(([call, endpoint]) => [
      call,
      {
        method: endpoint.method,
        path: endpoint.path,
        access: endpoint.access,
        ...(endpoint.multipart && { multipart: endpoint.multipart }),
      },
    ]);
    expect(data[noun]).toEqual(Object.fromEntries(told));
  });

  it.each([
    ['vulnerabilityList', contract.vulnerabilityList],
    ['threatList', contract.threatList],
    ['reportFileList', contract.reportFileList],
  ])('knows fields and order of %s, and nothing else', (name, { fields, standard }) => {
    expect(data[name]).toEqual({ fields, standard });
  });

  it('has errors and names as they are', () => {
    expect(data).toMatchObject({
      errors: contract.errors,
      roles: contract.roles,
      notAvailable: contract.notAvailable,
    });
  });

  it.each(['NewThreat', 'Job', 'Id', 'listFields', 'eventTopic', 'etagOf', 'contract'])(
    'has no %s: whoever imports it there fails the build',
    (name) => {
      expect(contract).toHaveProperty(name);
      expect(data).not.toHaveProperty(name);
    },
  );
});
