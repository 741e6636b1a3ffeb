// Loaded with --import into the processes of a naive variant: replaces a few lines of one module of the product while it
// is loaded. The product itself has no switch.
import { replaceOnLoad, type Replacement } from '../../support/replace-on-load.ts';

const replacements: Readonly<Record<string, readonly Replacement[]>> = {
  'no-sweep': [
    {
      module: '/worker/src/housekeeping/sweep.ts',
      from: '  await retryDeletions(database);\n',
      to: '  if (batchSize > 0) return 0;\n',
    },
  ],
  'no-fence': [
    {
      module: '/worker/src/jobs/run/job-row.ts',
      from: "    .where('attempt', '=', run.attempt)\n    .where('run_id', 'is not distinct from', run.runId)\n    .where('state', '=', 'running');",
      to: '  ;',
    },
    {
      // Otherwise the session of the earlier run ends before it can write.
      module: '/packages/db/src/jobs/run-sessions.ts',
      from: 'and starts_with(application_name, $1)',
      to: 'and false and starts_with(application_name, $1)',
    },
  ],
  'no-unique-key': [
    {
      module: '/packages/db/src/locks/file-locks.ts',
      from: 'select pg_advisory_xact_lock(hashtextextended(current_organization()::text || lower(${name}), 0))',
      to: 'select ${name}::text',
    },
  ],
};

const names = (process.env['SOAK_VARIANT'] ?? '').split(',');
replaceOnLoad(names.flatMap((name) => replacements[name] ?? []));
