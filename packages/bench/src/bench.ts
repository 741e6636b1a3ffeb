import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What each benchmark measures, and its arguments. */
const benches: Readonly<Record<string, string>> = {
  'blast-radius':
    'blast radius and map of a project in graphs of several shapes, compared with reading the same rows',
  'delete-file':
    '[--records 20000] [--runs 5]: deletion of a report with its records, compared with one DELETE of the same rows',
  export:
    '[--sizes 10000,100000,1000000] [--runs 5]: CSV exports compared with COPY TO, with the memory of the api',
  'folder-drop':
    '[files] [minutes]: a folder of 5,000 files dropped in Chromium: long tasks and memory of the page',
  graph: 'a graph of 2,000 nodes in Chromium',
  'import-csv': '100,000 assets and vulnerabilities from CSV, with the memory of the worker',
  ingest: 'a report of 46 MB from upload to extracted, compared with JSON.parse and COPY of the same rows',
  'large-project': 'page of a project with 100,000 assets, and suggestions among 100,000 records',
  'list-growth':
    '[case] [--sizes 10000,100000,1000000]: pages, sorts, filters, facets and searches of growing lists, compared with reading one row',
  lists: '[case]: lists of 100,000 rows compared with plain SQL that counts them',
  memory: 'memory above idle for reports of 46 MB and 500 MB',
  organizations: '[organizations] [MB]: imports into 50 organizations: the last as fast as the first',
  overview:
    '[--sizes 10000,100000,1000000]: numbers of the overview: reading, changing a record, recomputing, compared with the same without them',
  popups: '[popup] [times]: from the first click to the content of every popup in Chromium',
  'read-report': 'a report of 46 MB read by JSON.parse, a streaming parser and the reader of the worker',
  routes: 'load time of pages over 100,000 rows in Chromium',
  score: '[vulnerabilities …]: CWSS scores in one job, compared with the calculation and one UPDATE',
  'start-time': 'seconds of a start with an existing data folder, and memory of all processes when idle',
};

const [name = '', ...given] = process.argv.slice(2);
if (benches[name] === undefined) {
  const longest = Math.max(...Object.keys(benches).map((one) => one.length));
  const lines = Object.entries(benches).map(([one, about]) => `  ${one.padEnd(longest)}  ${about}\n`);
  const unknown = name === '' || name === '--help' ? '' : `No benchmark is named ${name}.\n\n`;
  process.stderr.write(`${unknown}pnpm bench NAME [arguments]\n\n${lines.join('')}`);
  process.exitCode = name === '--help' ? 0 : 2;
} else {
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...given], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
