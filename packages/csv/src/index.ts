export { type CvssColumns, cvssColumns } from './cvss-cells.ts';
export { CsvFault, type CsvRow } from './parser.ts';
export { type CsvPart, readCsv } from './read-csv.ts';
export { type CellProblem, type ColumnValue, type ReadRow, RowReader } from './row-reader.ts';
export { type CsvScan, scanCsv } from './scan-csv.ts';
