import { z } from 'zod';
import { listSearch } from '../../lib/list-search.ts';

const FileId = z.uuid().optional().catch(undefined);

/** State of the vulnerability data list in the address; `fileId`: what that file asserts. */
export const vulnerabilityDataSearch = listSearch(
  ['name', 'cveId', 'cvssScore', 'sourceFile', 'createdAt'],
  '-createdAt',
).extend({ fileId: FileId });
export type VulnerabilityDataSearch = z.infer<typeof vulnerabilityDataSearch>;

/** State of the vulnerability list in the address. */
export const vulnerabilitiesSearch = listSearch(
  ['name', 'severity', 'status', 'cveId', 'cvssScore', 'cwssScore', 'sourceFile', 'createdAt', 'updatedAt'],
  '-createdAt',
).extend({ fileId: FileId });
export type VulnerabilitiesSearch = z.infer<typeof vulnerabilitiesSearch>;
