import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What each benchmark measures, and its arguments. */
const benches: Readonly<Record<string, string>> = {
  batch:
    '[--files 2000] [--runs 5] [--workers 1,2,4]: small reports in one batch, compared with plain processes that do the same work',
  'blast-radius':
    'blast radius and map of a project in graphs of several shapes, compared with reading the same rows',
  'delete-file':
    '[--records 20000] [--runs 5]: deletion of a report with its records, compared with one DELETE of the same rows',
  events:
    '[--backend postgres|redis] [--clients 1000] [--burst 100000]: events from a worker to browsers on two api processes, compared with a plain ws server; a burst; reconnects',
  export:
    '[--sizes 10000,100000,1000000] [--runs 5]: CSV exports compared with COPY TO, with the memory of the api',
  'folder-drop':
    '[files] [minutes]: a folder of 5,000 files dropped in Chromium: long tasks and memory of the page',
  graph: 'a graph of 2,000 nodes in Chromium: until it is drawn, and its frames while it is moved',
  'import-csv': '100,000 assets and vulnerabilities from CSV, with the memory of the worker',
  ingest:
    '[--runs 5]: a report of 46 MB from upload to extracted and again, compared with JSON.parse and COPY; memory and event loops',
  'ingest-growth':
    '[--sizes 0,100000,1000000] [--records 100000] [--organizations 50] [--reports 1,10,46,160] [--runs 5]: ingest into growing organizations and of growing reports, compared with COPY',
  'ingest-progress': '[--pairs 15]: a report of 46 MB with and without progress events',
  'job-start':
    '[--backend postgres|redis] [--jobs 60]: from enqueuing a job to its handler, compared with BullMQ alone',
  'large-project': 'page of a project with 100,000 assets, and suggestions among 100,000 records',
  'large-reports':
    '[--json 46,500] [--xml 46,200]: peak memory of api and worker for reports of these megabytes',
  'list-growth':
    '[case] [--sizes 10000,100000,1000000] [--nouns …] [--calls 30] [--data DIR]: pages, sorts, filters, facets and searches of growing lists, compared with reading one row',
  'list-under-ingest':
    '[--rows 100000] [--rounds 40] [--data DIR]: calls of a list while reports are uploaded, compared with the same calls without',
  lists: '[case]: lists of 100,000 rows compared with plain SQL that counts them',
  organizations: '[organizations] [MB]: imports into 50 organizations: the last as fast as the first',
  overview:
    '[--sizes 10000,100000,1000000] [--blocks 3] [--many]: reading the overview compared with reading one row, and a change of a record with and without its counters, with a plot of the growth',
  popups: '[popup] [times]: from the first click to the content of every popup in Chromium',
  'read-report':
    '[--xml 200]: reports of 46 MB of JSON and 200 MB of XML read by the parser alone and by the reader of the worker',
  rival:
    '[--python python3] [--file …]: a report from upload to extracted, compared with python-stix2, where it is installed',
  routes: 'load time of pages over 100,000 rows in Chromium',
  score:
    '[vulnerabilities …] [--runs 1]: CWSS scores in one job, compared with the calculation and one UPDATE',
  'waiting-jobs': '[--jobs 80] [--runs 5]: jobs that only wait 50 ms, with 1, 2 and 4 consumers',
  'start-time': 'seconds of a start with an existing data folder, and memory of all processes when idle',
  tuning:
    '[--rows 100000] [--runs 5]: what each setting of the embedded PostgreSQL brings, compared with its default',
  web: '[load|interactions|list|drawer …] [--rows 100000] [--runs 5]: first loads over 1.6 Mbit/s, interactions, long tasks and the drawer of 3,000 jobs in Chromium',
};

const [name = '', ...given] = process.argv.slice(2);
const about = benches[name];
if (about === undefined) {
  const longest = Math.max(...Object.keys(benches).map((one) => one.length));
  const lines = Object.entries(benches).map(([one, text]) => `  ${one.padEnd(longest)}  ${text}\n`);
  const unknown = name === '' || name === '--help' ? '' : `No benchmark is named ${name}.\n\n`;
  process.stderr.write(`${unknown}pnpm bench NAME [arguments]\n\n${lines.join('')}`);
  process.exitCode = name === '--help' ? 0 : 2;
} else if (given.includes('--help')) process.stderr.write(`pnpm bench ${name} ${about}\n`);
else {
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...given], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
