import { health } from '@riskboard/contract';
import { call } from './call.ts';

/** Milliseconds that the answer may take. */
const timeoutMs = 8000;

/** Whether the API answers, and not only a proxy or the page of a public network. */
export async function isApiReachable(): Promise<boolean> {
  try {
    const reply = await call(health.live, { owner: null, signal: AbortSignal.timeout(timeoutMs) });
    // The page of a public network is no JSON.
    return (reply as Partial<typeof reply> | undefined)?.live === true;
  } catch {
    return false;
  }
}
