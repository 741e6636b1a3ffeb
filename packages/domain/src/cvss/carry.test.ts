import { expect, test } from 'vitest';
import { carryCvssMetrics } from './carry.ts';
import { readCvssDraft, writeCvssDraft } from './draft.ts';
import type { CvssVersion } from './metrics.ts';

const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

test.each<[rule: string, from: string, to: CvssVersion, carried: string]>([
  ['everything between 3.1 and 3.0', `${v31}/E:P/MAV:L`, '3.0', `${v31.replace('3.1', '3.0')}/E:P/MAV:L`],
  [
    'AV, AC, PR, UI, impacts and requirements from 3.1 to 4.0, but no exploit maturity',
    `${v31}/E:P/CR:H/MAV:L`,
    '4.0',
    'CVSS:4.0/AV:N/AC:L/PR:N/UI:N/VC:H/VI:H/VA:H/CR:H/MAV:L',
  ],
  [
    'no High complexity and no required interaction from 3.1 to 4.0, which splits them',
    'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:H',
    '4.0',
    'CVSS:4.0/AV:P/PR:H/VC:L/VI:N/VA:H',
  ],
  [
    'of the impacts with a changed scope only None to 4.0',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H',
    '4.0',
    'CVSS:4.0/AV:N/AC:L/PR:N/UI:N/VI:N',
  ],
  [
    'Passive as Required, and impacts without subsequent systems, from 4.0 to 3.1',
    'CVSS:4.0/AV:P/AC:L/AT:N/PR:L/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N/E:A',
    '3.1',
    'CVSS:3.1/AV:P/AC:L/PR:L/UI:R/C:H/I:L/A:N',
  ],
  [
    'Present requirements as High complexity, and no impacts beside subsequent ones, from 4.0 to 3.1',
    'CVSS:4.0/AV:N/AC:L/AT:P/PR:L/UI:A/VC:H/VI:L/VA:N/SC:L/SI:N/SA:N',
    '3.1',
    'CVSS:3.1/AV:N/AC:H/PR:L/UI:R',
  ],
  ['no Low complexity from 4.0 without requirements', 'CVSS:4.0/AV:N/AC:L', '3.1', 'CVSS:3.1/AV:N'],
  [
    'AV, the requirements and None impacts from v2, but no Medium complexity, logins or Partial impact',
    'AV:N/AC:M/Au:N/C:N/I:P/A:C/RC:C/CR:M',
    '3.1',
    'CVSS:3.1/AV:N/C:N/CR:M',
  ],
  ['no Local from v2, which includes physical access', 'AV:L/AC:L/Au:S/C:C/I:C/A:C', '3.1', 'CVSS:3.1/AC:L'],
  ['nothing that v2 defines as not defined', 'AV:A/CR:ND', '3.1', 'CVSS:3.1/AV:A'],
  ['AV and Low complexity from 3.1 to v2', v31, '2.0', 'AV:N/AC:L'],
  ['no Low complexity with required interaction to v2', v31.replace('UI:N', 'UI:R'), '2.0', 'AV:N'],
  ['v2 to 4.0 by way of 3.1', 'AV:N/AC:L/Au:N/C:N/I:P/A:C', '4.0', 'CVSS:4.0/AV:N/AC:L/VC:N'],
  ['nothing from an empty draft', '', '4.0', ''],
])('carryCvssMetrics carries %s', (_, from, to, carried) => {
  expect(writeCvssDraft(carryCvssMetrics(readCvssDraft(from, '2.0'), to))).toBe(carried);
});
