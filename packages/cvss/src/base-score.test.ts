import { parseCvssVector } from '@riskboard/domain';
import { expect, test } from 'vitest';
import { cvssBaseScore } from './base-score.ts';

// Rows: scores published by NVD for the named CVE, or the examples of the CVSS specifications.
test.each([
  ['CVE-2014-0160, v2', 'AV:N/AC:L/Au:N/C:P/I:N/A:N', 5],
  [
    'CVE-2002-0392, v2 guide 3.3.1, temporal metrics left out',
    'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:C',
    7.8,
  ],
  ['CVE-2014-0160, v3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
  ['CVE-2021-44228, v3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  [
    'v3.1, environmental metrics do not change the base score',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H/E:U/CR:L/MAV:P',
    10,
  ],
  ['v3.0', 'CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N', 4.2],
  ['v3.1, no impact', 'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:N', 0],
  ['v4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  [
    'v4.0, threat metrics do not change the base score',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U/CR:L',
    9.3,
  ],
])('cvssBaseScore: %s', (_, text, score) => {
  const vector = parseCvssVector(text);
  if (!vector.ok) throw new Error(vector.message);
  expect(cvssBaseScore(vector)).toBe(score);
});
