import { reports } from '@riskboard/contract';
import { call } from '../../lib/api/call.ts';
import { inRequests } from './existing-names.ts';

/** Those of the names that stand for stored reports, compared without case on the server. */
export async function findExisting(names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of inRequests(names)) {
    const { files } = await call(reports.files, { query: { name, pageSize: name.length } });
    found.push(...files.map((file) => file.originalFilename));
  }
  return found;
}
