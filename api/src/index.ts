export { buildApp } from './app.ts';
export type { ApiConfig, Deps } from './deps.ts';
