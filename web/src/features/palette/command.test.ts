import { expect, test } from 'vitest';
import type { Command } from '../../lib/browser/commands.ts';
import { matching } from './command.ts';

const named = (label: string, terms = ''): Command => ({
  id: label,
  group: 'Pages',
  label,
  terms,
  icon: null,
  run: () => undefined,
});

const all = [
  named('Unthreatened'),
  named('Upload', 'import report'),
  named('New threat'),
  named('Reports'),
  named('Threat data'),
];

test.each([
  ['', ['Unthreatened', 'Upload', 'New threat', 'Reports', 'Threat data']],
  [' THREAT ', ['Threat data', 'New threat', 'Unthreatened']],
  ['report', ['Reports', 'Upload']],
  ['import', ['Upload']],
  ['data threat', ['Threat data']],
  ['thr new', ['New threat']],
  ['report import', ['Upload']],
  ['new report', []],
  ['nothing', []],
])(
  '“%s” finds what has every word in any order, ranked by start of the label, start of a word, inside a word, then by other search terms',
  (typed, labels) => {
    expect(matching(all, typed).map(({ command }) => command.label)).toEqual(labels);
  },
);
