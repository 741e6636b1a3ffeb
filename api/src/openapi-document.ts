import { openDatabase } from '@riskboard/db';
import { buildApp } from './app.ts';

const nothing = async (): Promise<void> => undefined;

/** The OpenAPI document as text, from an application that talks to nothing. */
export async function openapiDocument(): Promise<string> {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1/none' });
  const app = await buildApp({
    config: {
      appOrigins: [],
      secureCookies: false,
      sessionSecret: 'signs nothing: no request is ever made',
      signup: 'open',
      uploadMaxBytes: 1,
      logLevel: false,
    },
    database,
    producer: { enqueue: nothing, ping: nothing, workers: async () => 0 },
    relay: { publish: nothing, subscribe: async () => nothing },
  });
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await database.close();
  }
}
