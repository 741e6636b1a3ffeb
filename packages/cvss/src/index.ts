export { cvssBaseScore } from './base-score.ts';
