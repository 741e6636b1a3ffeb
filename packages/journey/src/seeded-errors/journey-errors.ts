// `pnpm journey:errors [--rate 0.05] [--seed S] [--backend redis|postgresql]`. See docs/reliability.md.
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { runWithErrors } from './run-journey.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '0.05' },
    seed: { type: 'string', default: '1' },
    backend: { type: 'string', default: 'redis' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const backend = values.backend === 'postgresql' ? 'PostgreSQL' : 'Redis';
const { without, under } = await runWithErrors({
  rate: Number(values.rate),
  seed: Number(values.seed),
  backend,
});
const count = (wanted: (status: number) => boolean) => under.statuses.filter(wanted).length;
const internal = count((status) => status >= 500 && status !== 503);
const isSame = isDeepStrictEqual(under.visible, without.visible);
say(
  `${under.statuses.length} answers: ${count((status) => status === 503)} of 503, ${internal} internal errors`,
);
say(isSame ? 'The final state is the same as without errors.' : 'The final state differs.');
if (!isSame) say(JSON.stringify({ without: without.visible, under: under.visible }, null, 1));
process.exitCode = isSame && internal === 0 ? 0 : 1;
