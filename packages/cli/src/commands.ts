import { type Command, defineCommand } from './command.ts';
import { listNames } from './export/list-names.ts';

const api = {
  RISKBOARD_URL: 'address of the server; default http://127.0.0.1:3000',
  RISKBOARD_TOKEN: 'an API token, made in the web under Settings, API tokens',
} as const;

const apiOptions = {
  server: { type: 'string', value: 'URL', help: 'Address of the server instead of RISKBOARD_URL.' },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'File with the API token instead of RISKBOARD_TOKEN. There is no option for the token itself, because every user of the machine can read the arguments of a process.',
  },
} as const;

const server = {
  DATA_DIR: 'folder of the embedded database and the generated secrets; default ./.data',
  DATABASE_URL: 'your own PostgreSQL instead of the embedded one',
  DATABASE_OWNER_URL: 'its owner, when DATABASE_URL is a login that only serves requests',
} as const;

const json = { type: 'boolean', help: 'Print JSON for scripts instead of text.' } as const;

/** Every command of the program (contract, Command line). */
export const commands: Readonly<Record<string, Command>> = {
  upload: defineCommand({
    summary: 'upload reports, and follow their import',
    operands: '<files or folders...>',
    count: [1, 10_000],
    description: [
      'Uploads STIX and TAXII reports to your organization: the named files, and every .json and .xml file below the named folders. A file with the name of an existing report replaces it. A refused file is reported and does not stop the others.',
      'More than 10 files become one batch, whose page in the web shows each file, pauses it, and retries what failed.',
      'On a terminal a bar shows the progress.',
    ],
    options: {
      extract: {
        type: 'string',
        value: 'KINDS',
        help: 'Also extract records: vulnerabilities, threats, or both, separated by a comma.',
      },
      watch: {
        type: 'boolean',
        help: 'Follow the jobs until they have ended, print their results, and exit with 1 when one fails.',
      },
      json,
      ...apiOptions,
    },
    environment: api,
    examples: [
      [
        'upload reports/ --extract vulnerabilities,threats --watch',
        'Everything below reports/, with its records; ends when all of it is imported.',
      ],
      ['upload bundle.json --json', 'One file; prints its id and job as JSON.'],
    ],
    load: async () => (await import('./upload/upload.ts')).upload,
  }),
  jobs: defineCommand({
    summary: 'list background jobs, newest first',
    operands: '',
    count: [0, 0],
    description: [
      'Lists the background jobs of your organization with their state, progress and result, the newest first.',
    ],
    options: {
      failed: { type: 'boolean', help: 'Only failed jobs, each with its error.' },
      limit: { type: 'string', value: 'N', help: 'Largest number of jobs, 1 to 500; default 50.' },
      json,
      ...apiOptions,
    },
    environment: api,
    examples: [
      ['jobs', 'The 50 newest jobs.'],
      ['jobs --failed --json', 'Failed jobs as JSON, such as for a monitoring script.'],
    ],
    load: async () => (await import('./jobs/jobs.ts')).listJobs,
  }),
  export: defineCommand({
    summary: 'export a list as CSV or JSON',
    operands: '<list>',
    count: [1, 1],
    description: [
      `Exports one list of your organization: ${listNames.join(', ')}.`,
      'With --out the file appears only when it is complete; an export that fails leaves no file and an existing one unchanged. A device or pipe is written to directly. Without --out the list goes to standard output.',
    ],
    options: {
      format: { type: 'string', value: 'csv|json', help: 'Default csv.' },
      out: { type: 'string', value: 'FILE', help: 'Write to a file instead of standard output.' },
      filter: {
        type: 'string',
        multiple: true,
        value: 'NAME=VALUE',
        help: 'Filter as in the address of the list in the web, such as severity=critical; may be repeated.',
      },
      ...apiOptions,
    },
    environment: api,
    examples: [
      ['export vulnerabilities --out vulnerabilities.csv', 'All vulnerabilities as CSV.'],
      [
        'export vulnerabilities --format json --filter severity=critical',
        'Critical vulnerabilities as JSON on standard output.',
      ],
    ],
    load: async () => (await import('./export/export.ts')).exportList,
  }),
  users: defineCommand({
    summary: 'list the accounts of all organizations',
    operands: '',
    count: [0, 0],
    description: [
      'Lists every account with its organizations, roles, second factor and last sign-in, from the database: for the operator of the server. API tokens cannot read members.',
    ],
    options: { json },
    environment: {
      ...server,
      DATABASE_SYSTEM_URL: 'the login of the system, which reads the accounts where no owner is set',
    },
    examples: [['users --json', 'All accounts as JSON.']],
    load: async () => (await import('./users/users.ts')).listUsers,
  }),
  backup: defineCommand({
    summary: 'write all data into one file, while the product runs',
    operands: '<FILE>',
    count: [0, 1],
    description: [
      'Writes everything that is in the database at one moment into one compressed file: organizations, accounts, reports with their original bytes, records, jobs, activity. The product may run meanwhile. The file is read again and checked before it gets its name; an existing file is never overwritten.',
      'With the embedded database the file also contains the secrets that npm start has generated (SESSION_SECRET, WEBHOOK_KEY), so that the file alone restores a working product. Secrets of the environment are never in it: keep them too. The file is as confidential as the database: encrypt it before it leaves the machine.',
      'With your own database it needs the owner (DATABASE_OWNER_URL, or DATABASE_URL if that is the owner). Not in it: emails in DATA_DIR/outbox, the file .env, and Redis, whose messages are created again from the job rows.',
    ],
    options: {
      schedule: {
        type: 'boolean',
        help: 'Instead of one file, write daily backups as BACKUP_DIR, BACKUP_AT and BACKUP_KEEP say, until it is stopped: for a scaled installation. npm start does this by itself.',
      },
      'without-secrets': {
        type: 'boolean',
        help: 'Leave the generated secrets out. Then keep DATA_DIR/secrets.json separately.',
      },
      json,
    },
    environment: server,
    examples: [
      ['backup /backups/riskboard-$(date +%F).backup', 'A backup with the date in its name.'],
      ['backup all.backup --json', 'Prints size, rows and time as JSON.'],
    ],
    load: async () => (await import('./backup/backup.ts')).backUp,
  }),
  restore: defineCommand({
    summary: 'restore a backup into an empty server',
    operands: '<FILE>',
    count: [1, 1],
    description: [
      'Restores a backup into the database that the environment names: the embedded one in DATA_DIR, which is created if it is absent, or your own. Stop every api and worker first.',
      'The whole file is checked before anything changes. The restore is one transaction: afterwards the database has all of the backup, or what it had before. A backup of an older version is migrated; one of a newer version is refused. Roles and privileges are created again.',
      'Sessions and API tokens that were revoked after the backup are valid again: revoke them again. Emails that were waiting at the moment of the backup are sent again.',
    ],
    options: {
      force: { type: 'boolean', help: 'Replace everything in a database that is not empty.' },
      json,
    },
    environment: server,
    examples: [
      ['restore all.backup', 'Into a new server.'],
      ['restore all.backup --force', 'Back to the state of the backup; everything newer is lost.'],
    ],
    load: async () => (await import('./restore/restore.ts')).restore,
  }),
  doctor: defineCommand({
    summary: 'check configuration and services of this server',
    operands: '',
    count: [0, 0],
    description: [
      'Checks the configuration of this server and the services that it needs, and says for each problem what to do. Changes nothing. Exits with 1 when something must be repaired.',
    ],
    options: { json },
    environment: server,
    examples: [['doctor', 'Checks everything, and prints one line for each check.']],
    load: async () => (await import('./doctor/doctor.ts')).examine,
  }),
};
