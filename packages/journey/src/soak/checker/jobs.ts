import type { History } from '../history.ts';
import type { Finding } from './violation.ts';

const unfinished: ReadonlySet<string> = new Set(['queued', 'running']);

/** After recovery every job has ended, and every requested job exists unless its file was deleted. */
export function noJobIsStuck({ operations, stored }: History): Finding[] {
  const findings: Finding[] = stored.jobs
    .filter(({ state }) => unfinished.has(state))
    .map((job) => ({
      message: `The job ${job.id} (${job.kind}) is still ${job.state} at attempt ${job.attempt}.`,
      shown: operations.filter(({ jobId }) => jobId === job.id),
    }));
  const known = new Set(stored.jobs.map(({ id }) => id));
  const deleted = new Set(
    operations
      .filter(({ action, outcome }) => action === 'delete file' && outcome !== 'failed')
      .map(({ subject }) => subject),
  );
  for (const operation of operations) {
    const { jobId, subject, outcome } = operation;
    if (outcome !== 'acknowledged' || jobId === undefined || known.has(jobId) || deleted.has(subject))
      continue;
    findings.push({ message: `The job ${jobId} of ${subject} does not exist.`, shown: [operation] });
  }
  return findings;
}

/** Nothing exists twice: names, extracted records, and what a finished extraction logged. */
export function nothingIsDouble({ stored }: History): Finding[] {
  const names = Map.groupBy(stored.files, ({ name }) => name.toLowerCase());
  const twice = [...names].flatMap(([name, files]) =>
    files.length > 1 ? [`${files.length} files are named ${name}.`] : [],
  );
  const repeated = stored.files
    .filter(({ extractions, succeededExtractions }) => extractions !== succeededExtractions)
    .map(
      ({ name, extractions, succeededExtractions }) =>
        `${name} has ${extractions} extractions in the log for ${succeededExtractions} succeeded jobs.`,
    );
  return [...twice, ...repeated, ...stored.doubles].map((message) => ({ message, shown: [] }));
}

/** Counters equal a recount, and no row lacks the row that it belongs to. */
export function countersEqualRecount({ stored }: History): Finding[] {
  const counts = stored.files
    .filter(
      (file) => file.vulnerabilities !== file.countedVulnerabilities || file.threats !== file.countedThreats,
    )
    .map(
      (file) =>
        `${file.name} counts ${file.vulnerabilities} vulnerabilities and ${file.threats} threats; it has ${file.countedVulnerabilities} and ${file.countedThreats}.`,
    );
  return [...counts, ...stored.overviewDifferences, ...stored.orphans].map((message) => ({
    message,
    shown: [],
  }));
}
