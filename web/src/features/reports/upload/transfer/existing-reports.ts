import { reports } from '@riskboard/contract';
import { reportName } from '@riskboard/domain';
import { call } from '../../../../lib/api/call.ts';
import { nameKey } from './upload.ts';

/** Ids of the stored reports that have one of the names, by `nameKey`; the server ignores case. */
export async function findExisting(names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of toBatches(names.map(reportName))) {
    const { files } = await call(reports.files, { query: { name, pageSize: name.length } });
    for (const file of files) found.set(nameKey(file.originalFilename), file._id);
  }
  return found;
}

/** Limits for one request: servers and proxies accept URLs of 8 KiB. */
const mostNames = 40;
const longestQuery = 6000;

/** Splits names into batches that each fit into the URL of one request. */
export function toBatches(names: readonly string[]): string[][] {
  const requests: string[][] = [];
  let current: string[] = [];
  let length = 0;
  for (const name of names) {
    const added = encodeURIComponent(name).length + '&name='.length;
    if (current.length === mostNames || (current.length > 0 && length + added > longestQuery)) {
      requests.push(current);
      current = [];
      length = 0;
    }
    current.push(name);
    length += added;
  }
  if (current.length > 0) requests.push(current);
  return requests;
}
