import type { History, Operation } from '../history.ts';
import { effectEnd, type Finding } from './violation.ts';

const writes: ReadonlySet<string> = new Set(['upload', 'delete file']);
const valueOf = ({ action, sha256 }: Operation): string | null =>
  action === 'upload' ? (sha256 ?? null) : null;

/** A read of a name: by a client, or of the final state. */
interface NameRead {
  value: string | null;
  invokedAt: number;
  endedAt: number;
  operation?: Operation;
}

/** Whether a write could be the last one before the read: no acknowledged write lies wholly between the two. */
function isPossible(written: readonly Operation[], read: NameRead): boolean {
  const overwrittenAfter = (end: number) =>
    written.some(
      (other) => other.outcome === 'acknowledged' && other.invokedAt > end && other.endedAt < read.invokedAt,
    );
  if (read.value === null && !overwrittenAfter(-Infinity)) return true;
  return written.some(
    (write) =>
      valueOf(write) === read.value && write.invokedAt < read.endedAt && !overwrittenAfter(effectEnd(write)),
  );
}

/** Each file name is a register: an upload writes, a deletion clears, a read finds a write that nothing replaced. */
export function acknowledgedFilesArePresent({ operations, stored }: History): Finding[] {
  const byName = Map.groupBy(operations, ({ subject }) => subject.toLowerCase());
  const inDatabase = new Map(stored.files.map((file) => [file.name.toLowerCase(), file.sha256]));
  const findings: Finding[] = [];
  for (const [name, all] of byName) {
    const written = all.filter(({ action, outcome }) => writes.has(action) && outcome !== 'failed');
    if (written.length === 0) continue;
    const reads: NameRead[] = all
      .filter(({ action, outcome }) => action === 'read file' && outcome === 'acknowledged')
      .map((operation) => ({ ...operation, value: operation.sha256 ?? null, operation }));
    reads.push({ value: inDatabase.get(name) ?? null, invokedAt: Infinity, endedAt: Infinity });
    for (const read of reads) {
      if (isPossible(written, read)) continue;
      const what = read.operation ? 'A read' : 'The database';
      findings.push({
        message: `${what} has ${read.value ?? 'no file'} for ${name}, which no possible order of the writes leaves.`,
        shown: read.operation ? [...written, read.operation] : written,
      });
    }
  }
  return findings;
}

/** What is stored has all its bytes, and counts that follow from its rows. */
export function filesAreWhole({ stored }: History): Finding[] {
  return stored.files
    .filter((file) => file.sha256 !== file.contentSha256)
    .map((file) => ({
      message: `${file.name} has the bytes ${file.contentSha256} instead of ${file.sha256}.`,
      shown: [],
    }));
}

/** An acknowledged upload has one entry in the activity log, an unknown one at most one, a refused one has no entry. */
export function uploadsHappenOnce({ operations, stored }: History): Finding[] {
  const uploads = operations.filter(({ action }) => action === 'upload');
  const findings: Finding[] = [];
  for (const [sha256, same] of Map.groupBy(uploads, (upload) => upload.sha256 ?? '')) {
    const count = (outcome: string) => same.filter((upload) => upload.outcome === outcome).length;
    const least = count('acknowledged');
    const most = least + count('unknown');
    const entries = stored.uploadEntries[sha256] ?? 0;
    if (entries >= least && entries <= most) continue;
    findings.push({
      message: `The log has ${entries} uploads of ${sha256}; ${least} to ${most} are possible.`,
      shown: same,
    });
  }
  return findings;
}
