import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @returns V8's collection of all garbage, which Node offers only behind a flag */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
