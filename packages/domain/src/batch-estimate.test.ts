import { expect, it } from 'vitest';
import { estimateSeconds, type ProcessingRate } from './batch-estimate.ts';

/** Four files of 1,000 bytes in total, one after the other, 2 s each. */
const rate: ProcessingRate = {
  files: 4,
  bytes: 1000,
  seconds: 8,
  busySeconds: 8,
  secondsPerByte: null,
  secondsPerFile: null,
};
const line = { secondsPerByte: 0.01, secondsPerFile: 1 };

it.each<[string, Partial<ProcessingRate>, number | null]>([
  ['is the mean time per file', {}, 20],
  ['is on the line through sizes and times', line, 60],
  ['is shorter when several files are processed at once', { busySeconds: 4 }, 10],
  ['is shorter on the line too when several files are processed at once', { ...line, busySeconds: 4 }, 30],
  ['is never longer than one file after the other', { busySeconds: 16 }, 20],
  ['is the mean where larger files take no longer', { secondsPerByte: -0.01, secondsPerFile: 3 }, 20],
  ['is the mean where the line starts below zero', { secondsPerByte: 0.01, secondsPerFile: -1 }, 20],
  ['needs three files', { files: 2, seconds: 4, busySeconds: 4 }, null],
  ['is made from three files', { files: 3, seconds: 6, busySeconds: 6 }, 20],
  ['needs files that took some time', { seconds: 0, busySeconds: 0 }, null],
])('the estimate for ten files of 5,000 bytes %s', (_what, measured, seconds) => {
  expect(estimateSeconds({ files: 10, bytes: 5000 }, { ...rate, ...measured })).toBe(seconds);
});
