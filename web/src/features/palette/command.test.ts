import { expect, test } from 'vitest';
import { matching, type Command } from './command.ts';

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
  ['nothing', []],
])(
  '“%s” is ranked by start of the label, start of a word, inside a word, then by other search terms',
  (typed, labels) => {
    expect(matching(all, typed).map(({ label }) => label)).toEqual(labels);
  },
);
