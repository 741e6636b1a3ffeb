export { cvssBaseScore } from './base-score.ts';
export { type CvssScores, scoreCvss } from './score.ts';
