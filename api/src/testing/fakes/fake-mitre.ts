import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeMitre {
  /** Base address for CWE_API_URL. */
  url: string;
  /** Requested paths. */
  requested: string[];
  /** Replies to the next requests. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A made-up weakness in the format of MITRE's CWE REST API. */
export const weaknessOf = (id: string, change: Record<string, unknown> = {}) => ({
  ID: id,
  Name: 'Weakness of a Test',
  Abstraction: 'Base',
  Structure: 'Simple',
  Status: 'Draft',
  Description: 'The product accepts more than it was tested for.',
  LikelihoodOfExploit: 'Low',
  RelatedWeaknesses: [
    { Nature: 'ChildOf', CweID: '20', ViewID: '1000', Ordinal: 'Primary' },
    { Nature: 'ChildOf', CweID: '20', ViewID: '1003' },
  ],
  CommonConsequences: [{ Scope: ['Integrity'], Impact: ['Unexpected State'] }],
  MappingNotes: { Usage: 'Allowed' },
  ...change,
});

export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** A local server with the interface of MITRE's CWE REST API. */
export async function startMitre(): Promise<FakeMitre> {
  const server = createServer((request, response) => {
    fake.requested.push(request.url ?? '');
    fake.answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const fake: FakeMitre = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requested: [],
    answer: (_request, response) => json(response, 404, { error: 'not found' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}
