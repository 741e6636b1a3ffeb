import { describeMatrix } from './describe-matrix.ts';

describeMatrix('PostgreSQL');
