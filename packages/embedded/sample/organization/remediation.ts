/** What became of a vulnerability of the sample report in the year before today. */
export interface SampleRemediation {
  /** 1 Input Validation, 2 Authentication, 3 Authorization, 4 Configuration, 5 Cryptography, 6 Business Logic. */
  category: 1 | 2 | 3 | 4 | 5 | 6;
  /** Days before today on which it was found. */
  found: number;
  /** What it became, and after how many days; absent while it is open. */
  closed?: readonly [status: 'fixed' | 'mitigated' | 'accepted', after: number];
}

const open = (category: SampleRemediation['category'], found: number): SampleRemediation => ({
  category,
  found,
});
const fixed = (category: SampleRemediation['category'], found: number, after: number): SampleRemediation => ({
  category,
  found,
  closed: ['fixed', after],
});

/** By CVE id, or by title without one. */
export const sampleRemediation: ReadonlyMap<string, SampleRemediation> = new Map([
  ['CVE-2021-44228', open(1, 41)],
  ['CVE-2021-45046', fixed(1, 341, 9)],
  ['CVE-2021-45105', open(1, 130)],
  ['CVE-2024-3400', open(1, 6)],
  ['CVE-2024-0012', fixed(2, 318, 4)],
  ['CVE-2024-21762', fixed(1, 305, 6)],
  ['CVE-2023-27997', fixed(1, 301, 11)],
  ['CVE-2022-40684', fixed(2, 296, 5)],
  ['CVE-2018-13379', fixed(1, 280, 40)],
  ['CVE-2023-46805', fixed(2, 262, 3)],
  ['CVE-2024-21887', fixed(1, 262, 3)],
  ['CVE-2019-11510', fixed(1, 251, 27)],
  ['CVE-2023-4966', fixed(1, 240, 8)],
  ['CVE-2023-3519', fixed(1, 233, 12)],
  ['CVE-2019-19781', fixed(1, 227, 33)],
  ['CVE-2022-1388', fixed(2, 219, 14)],
  ['CVE-2020-5902', fixed(1, 214, 30)],
  ['CVE-2023-34362', fixed(1, 196, 2)],
  ['CVE-2023-0669', open(1, 58)],
  ['CVE-2021-26855', fixed(3, 187, 7)],
  ['CVE-2021-34473', fixed(3, 187, 16)],
  ['CVE-2022-41040', fixed(3, 176, 21)],
  ['CVE-2023-23397', fixed(2, 160, 10)],
  ['CVE-2022-30190', open(6, 33)],
  ['CVE-2017-11882', { category: 1, found: 152, closed: ['accepted', 18] }],
  ['CVE-2012-0158', { category: 1, found: 152, closed: ['accepted', 18] }],
  ['CVE-2023-38831', fixed(6, 146, 13)],
  ['CVE-2021-34527', open(3, 15)],
  ['CVE-2019-0708', { category: 1, found: 128, closed: ['mitigated', 5] }],
  ['CVE-2020-0796', { category: 1, found: 122, closed: ['mitigated', 9] }],
  ['CVE-2017-0144', { category: 4, found: 121, closed: ['mitigated', 4] }],
  ['CVE-2020-0601', fixed(5, 110, 24)],
  ['CVE-2021-4034', fixed(3, 97, 19)],
  ['CVE-2022-0847', fixed(3, 88, 22)],
  ['CVE-2016-5195', open(6, 75)],
  ['CVE-2022-26134', fixed(1, 66, 3)],
  ['CVE-2024-1709', open(2, 19)],
  ['CVE-2023-44487', open(4, 25)],
  ['CVE-2014-0160', open(5, 12)],
  ['Yard gate controllers with the installer password', open(4, 90)],
]);
