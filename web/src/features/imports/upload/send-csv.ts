import { imports, type CsvImport, type ImportNoun } from '@riskboard/contract';
import { sendFile } from '../../../lib/api/send-file.ts';

/** Why a file cannot be imported, as far as the browser knows; undefined when it can. */
export function csvRefusal({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!isCsvName(name)) return 'Only .csv files are accepted.';
  if (size === 0) return 'The file is empty.';
  return undefined;
}

const isCsvName = (name: string): boolean => name.toLowerCase().endsWith('.csv');

/** Guards against a 201 that did not come from the API, such as the page of a proxy. */
function isImport(body: unknown): body is CsvImport {
  const { _id, columns } = (body ?? {}) as Partial<CsvImport>;
  return typeof _id === 'string' && Array.isArray(columns);
}

interface CsvOptions {
  readonly noun: ImportNoun;
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far, multipart framing included. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a CSV file; nothing is imported yet.
 * @throws {SendFailure} with the server's message, which names the line of a problem
 */
export const sendCsv = (file: File, { noun, signal, onSent }: CsvOptions): Promise<CsvImport> =>
  sendFile(file, { endpoint: imports.upload, query: { noun }, signal, onSent, isReply: isImport });
