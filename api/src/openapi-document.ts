import { openDatabase } from '@riskboard/db';
import { buildApp } from './app.ts';

const noop = async (): Promise<void> => undefined;

/** The OpenAPI document as text, from an application without connections. */
export async function openapiDocument(): Promise<string> {
  const database = openDatabase({ url: 'postgres://unused@127.0.0.1/unused' });
  const app = await buildApp({
    config: {
      appOrigins: [],
      secureCookies: false,
      sessionSecret: 'unused: this application receives no requests',
      signup: 'open',
      uploadMaxBytes: 1,
      logLevel: false,
    },
    database,
    producer: { enqueue: noop, ping: noop, workers: async () => 0 },
    relay: { publish: noop, subscribe: async () => noop },
  });
  try {
    await app.ready();
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
    await database.close();
  }
}
