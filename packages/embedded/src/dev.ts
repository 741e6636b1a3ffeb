import { readEnvironment } from '@riskboard/contract/environment';
import { type Part, standardParts } from './parts.ts';
import { supervise } from './supervisor.ts';

/** Vite serves the web with hot reloading and proxies /api, so the browser's origin is Vite's. */
const origin = 'http://localhost:5173';

/** The api then serves no pages. */
const development = { NODE_ENV: 'development' };

const vite: Part = {
  name: 'web',
  arguments: ['node_modules/vite/bin/vite.js', '--port', new URL(origin).port, '--strictPort'],
  folder: 'web',
  environment: development,
};

const environment = readEnvironment({ ...process.env, APP_ORIGIN: process.env['APP_ORIGIN'] || origin });

process.exit(
  await supervise({
    environment,
    origin,
    parts: (settings) => [
      ...standardParts(settings, ['--watch', '--watch-preserve-output']).map((part) => ({
        ...part,
        environment: { ...part.environment, ...development },
      })),
      vite,
    ],
  }),
);
