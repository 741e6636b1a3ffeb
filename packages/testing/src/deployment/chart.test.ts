import { workerHeap } from '@riskboard/embedded';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../database.ts';
import { withClient } from '../with-client.ts';
import { type Chart, chartWith, helmPath, type Resource } from './render-chart.ts';

interface Container {
  securityContext: Record<string, unknown>;
  resources: { limits: Record<string, string> };
  command: string[];
  volumeMounts: { name: string; mountPath: string }[];
  envFrom: { secretRef: { name: string } }[];
  env: { name: string; value: string }[];
  startupProbe?: unknown;
  livenessProbe?: unknown;
}

interface Pod {
  spec: {
    automountServiceAccountToken: boolean;
    securityContext: Record<string, unknown>;
    containers: Container[];
    volumes: { name: string }[];
  };
}

const helm = helmPath();

/** Every optional resource is on. */
const everything = {
  worker: { keda: { enabled: true }, metricsPort: 9464 },
  ingress: { enabled: true },
  trustedProxies: ['10.244.0.0/16', 'fd00:10:244::/56'],
  secrets: { mail: 'mail' },
};

const podOf = (resource: Resource): Pod => resource.spec['template'] as Pod;
const kindsOf = (resources: readonly Resource[]): string[] => resources.map(({ kind }) => kind).toSorted();

const finderIn =
  (resources: readonly Resource[]) =>
  (kind: string, end: string): Resource => {
    const found = resources.find((one) => one.kind === kind && one.metadata.name.endsWith(end));
    if (!found) throw new Error(`The chart has no ${kind} ${end}`);
    return found;
  };

/** The variables of a program. */
const environmentOf = (resources: readonly Resource[], program: string): Container['env'] =>
  podOf(finderIn(resources)('Deployment', program)).spec.containers.flatMap(({ env }) => env);

describe.skipIf(helm === null)('the chart', () => {
  const chart: Chart = chartWith(helm ?? 'helm');
  const rendered = helm === null ? [] : chart.render(everything);
  const kinds = kindsOf(rendered);
  const withPods = rendered.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  const named = finderIn(rendered);

  it('has a workload for each program, and what scales, protects and isolates them', () => {
    expect(kinds).toEqual(
      [
        'Deployment',
        'Deployment',
        'Deployment',
        'HorizontalPodAutoscaler',
        'Ingress',
        'Job',
        'NetworkPolicy',
        'NetworkPolicy',
        'NetworkPolicy',
        'PersistentVolumeClaim',
        'PodDisruptionBudget',
        'PodDisruptionBudget',
        'ScaledObject',
        'Service',
        'ServiceAccount',
        'TriggerAuthentication',
      ].toSorted(),
    );
    for (const { apiVersion, metadata } of rendered)
      expect([apiVersion, metadata.name]).not.toContain(undefined);
  });

  it('runs every container without root, capabilities or a writable root, and with a memory limit', () => {
    expect(withPods).toHaveLength(4);
    for (const { spec } of withPods.map(podOf)) {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits['memory']).toMatch(/^\d+Mi$/u);
      }
    }
  });

  it('probes api and worker', () => {
    for (const name of ['api', 'worker'])
      for (const container of podOf(named('Deployment', name)).spec.containers)
        expect(container).toMatchObject({ startupProbe: {}, livenessProbe: {} });
  });

  it('starts the programs of the image', () => {
    const commands = withPods.flatMap((one) => podOf(one).spec.containers.map(({ command }) => command));
    const programs = commands.flatMap((command) => command.filter((part) => part.endsWith('.ts')));
    expect(programs.toSorted()).toEqual([
      'api/src/main.ts',
      'packages/cli/src/main.ts',
      'packages/embedded/src/migrate-main.ts',
      'worker/src/main.ts',
    ]);
    expect(commands).toContainEqual(['node', ...workerHeap, 'worker/src/main.ts']);
  });

  it('migrates before an installation and before an upgrade', () => {
    expect(named('Job', 'migrate').metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  });

  it('gives the secrets of sessions to the api only, and the owner of the database to migration and backup only', () => {
    const secretsOf = (resource: Resource): string[] =>
      podOf(resource).spec.containers.flatMap(({ envFrom }) =>
        envFrom.map(({ secretRef }) => secretRef.name),
      );
    expect(secretsOf(named('Deployment', 'api'))).toEqual(['riskboard', 'riskboard-session']);
    expect(secretsOf(named('Deployment', 'worker'))).not.toContain('riskboard-session');
    expect(secretsOf(named('Deployment', 'backup'))).toEqual(['riskboard', 'riskboard-owner']);
    expect(secretsOf(named('Job', 'migrate'))).toEqual(['riskboard', 'riskboard-owner']);
  });

  it('writes daily backups to a claim that stays when the release is uninstalled', () => {
    expect(named('PersistentVolumeClaim', 'backups').metadata.annotations).toEqual({
      'helm.sh/resource-policy': 'keep',
    });
    const { containers, volumes } = podOf(named('Deployment', 'backup')).spec;
    expect(containers[0]?.volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
    expect(volumes.map(({ name }) => name)).toContain('backups');
  });

  it('contains no secret values', () => {
    expect(kinds).not.toContain('Secret');
  });

  it('isolates every program: nothing but the http port of the api and the metrics of workers is reachable', () => {
    const policies = rendered.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec);
    expect(policies.flatMap(({ ingress }) => ingress ?? [])).toMatchObject([
      { ports: [{ port: 'http' }] },
      { ports: [{ port: 'metrics' }] },
    ]);
    expect(policies.at(-1)?.['policyTypes']).toEqual(['Ingress', 'Egress']);
  });

  it('leaves out by default what needs something of the cluster, and what is switched off', () => {
    const usual = new Set(kindsOf(chart.render()));
    expect(['Ingress', 'ScaledObject', 'TriggerAuthentication'].filter((kind) => usual.has(kind))).toEqual(
      [],
    );
    const least = {
      api: { autoscaling: { enabled: false } },
      backup: { enabled: false },
      networkPolicy: { enabled: false },
      serviceAccount: { name: 'own' },
    };
    const resources = chart.render(least);
    expect(kindsOf(resources)).toEqual(
      ['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'].toSorted(),
    );
    const accounts = resources.flatMap(({ kind, spec }) =>
      kind === 'Deployment' || kind === 'Job'
        ? [(spec['template'] as { spec: { serviceAccountName: string } }).spec.serviceAccountName]
        : [],
    );
    expect(accounts).toEqual(['own', 'own', 'own']);
  });

  it('leaves the number of replicas to the autoscaler of a program that has one', () => {
    const fixed = finderIn(chart.render({ api: { autoscaling: { enabled: false } } }));
    expect([
      fixed('Deployment', 'api').spec['replicas'],
      fixed('Deployment', 'worker').spec['replicas'],
    ]).toEqual([2, 2]);
    expect([named('Deployment', 'api').spec, named('Deployment', 'worker').spec]).not.toContainEqual(
      expect.objectContaining({ replicas: expect.anything() }),
    );
  });

  it('counts the queue for KEDA with a statement that the login of workers may run', async () => {
    const { triggers } = named('ScaledObject', 'worker').spec as {
      triggers: { metadata: { query: string } }[];
    };
    const test = await createTestDatabase();
    const rows = await withClient(test.adminUrl, async (admin) => {
      await admin.query('set role riskboard_system');
      const query = triggers[0]?.metadata.query ?? '';
      return (await admin.query<{ count: number | string }>(query)).rows;
    });
    await test.drop();
    expect(rows.map(({ count }) => Number(count))).toEqual([0]);
  });

  // docs/operations.md, Sizing: connections of an api and of a worker. Of PostgreSQL's 100, 3 are reserved.
  it('needs by default no more connections than PostgreSQL accepts by default', () => {
    const { maxReplicas: apis } = named('HorizontalPodAutoscaler', 'api').spec;
    const { maxReplicaCount: workers } = named('ScaledObject', 'worker').spec;
    const { value: concurrency } =
      environmentOf(rendered, 'worker').find(({ name }) => name === 'WORKER_CONCURRENCY') ?? {};
    const connections = Number(apis) * 16 + Number(workers) * (3 * Number(concurrency) + 6);
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(97);
  });

  it('takes an existing claim for the backups instead of creating one', () => {
    const resources = chart.render({ backup: { existingClaim: 'nfs' } });
    expect(kindsOf(resources)).not.toContain('PersistentVolumeClaim');
    expect(podOf(finderIn(resources)('Deployment', 'backup')).spec.volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'nfs' },
    });
  });

  it('passes lists and maps of the values on', () => {
    const from = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const to = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
    const found = finderIn(
      chart.render({
        environment: { UPLOAD_MAX_BYTES: '1000' },
        imagePullSecrets: [{ name: 'registry' }],
        ingress: { enabled: true, annotations: { a: 'b' }, className: 'nginx', tlsSecret: 'tls' },
        trustedProxies: ['10.244.0.0/16'],
        networkPolicy: { ingressFrom: from, egressTo: to, egressPorts: [5432] },
      }),
    );
    for (const program of ['api', 'worker', 'backup'])
      expect(podOf(found('Deployment', program)).spec).toMatchObject({
        imagePullSecrets: [{ name: 'registry' }],
        containers: [{ env: expect.arrayContaining([{ name: 'UPLOAD_MAX_BYTES', value: '1000' }]) }],
      });
    expect(found('Ingress', 'x')).toMatchObject({
      metadata: { annotations: { a: 'b' } },
      spec: { ingressClassName: 'nginx', tls: [{ hosts: ['risk.example.org'], secretName: 'tls' }] },
    });
    expect(found('NetworkPolicy', 'api').spec['ingress']).toEqual([{ ports: [{ port: 'http' }], from }]);
    expect(found('NetworkPolicy', 'x').spec['egress']).toContainEqual({ ports: [{ port: 5432 }], to });
  });

  it('lets Prometheus reach the api beside the ingress controller, and only then limits who does', () => {
    const ingressFrom = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const metricsFrom = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
    const callersOf = (networkPolicy: object) =>
      finderIn(chart.render({ networkPolicy }))('NetworkPolicy', 'api').spec['ingress'];
    const ports = [{ port: 'http' }];
    expect(callersOf({ ingressFrom, metricsFrom })).toEqual([
      { ports, from: [...ingressFrom, ...metricsFrom] },
    ]);
    expect(callersOf({ metricsFrom })).toEqual([{ ports }]);
  });

  it('has the host of the origin in its ingress', () => {
    const { spec } = finderIn(
      chart.render({
        ...everything,
        origin: 'https://Board.example.com:8443',
        ingress: { enabled: true, tlsSecret: 'tls' },
      }),
    )('Ingress', 'x');
    expect(spec).toMatchObject({
      tls: [{ hosts: ['board.example.com'] }],
      rules: [{ host: 'board.example.com' }],
    });
  });

  it('names the trusted proxies to the programs as one list', () => {
    expect(environmentOf(rendered, 'api')).toContainEqual({
      name: 'TRUSTED_PROXIES',
      value: '10.244.0.0/16,fd00:10:244::/56',
    });
    expect(environmentOf(chart.render(), 'api').map(({ name }) => name)).not.toContain('TRUSTED_PROXIES');
  });

  it('writes whole numbers of any length in digits', () => {
    const environment = { UPLOAD_MAX_BYTES: 1_073_741_824, BATCH_RETENTION_DAYS: 30, OTHER: 0.5 };
    expect(environmentOf(chart.render({ environment }), 'api')).toEqual(
      expect.arrayContaining([
        { name: 'UPLOAD_MAX_BYTES', value: '1073741824' },
        { name: 'BATCH_RETENTION_DAYS', value: '30' },
        { name: 'OTHER', value: '0.5' },
      ]),
    );
  });

  it('refuses every variable in `environment` that it sets itself', () => {
    const own = ['api', 'worker', 'backup'].flatMap((program) => environmentOf(rendered, program));
    const names = [...new Set(own.map(({ name }) => name))];
    expect(names).toContain('WORKER_METRICS_PORT');
    for (const name of names)
      expect(() => chart.render({ environment: { [name]: '1' } })).toThrow(`'${name}'`);
  });

  it.each([
    ['its defaults', {}],
    ['every optional resource', everything],
  ])('has nothing that helm lint criticizes, with %s', (_, values) => {
    expect(chart.lint(values)).toContain('0 chart(s) failed');
  });

  it.each([
    ['an unknown value', { typo: 1 }, "'typo' not allowed"],
    ['an origin with a path', { origin: 'https://risk.example.org/app' }, '/origin'],
    ['a secret among the variables', { environment: { SESSION_SECRET: 'x' } }, "'SESSION_SECRET'"],
    ['an invalid time of the backup', { backup: { at: '25:00' } }, '/backup/at'],
    ['an ingress without the addresses of its controller', { ingress: { enabled: true } }, '/trustedProxies'],
    ['a proxy that is not an address', { trustedProxies: ['ingress-nginx'] }, '/trustedProxies'],
    ['a host of the ingress beside the origin', { ingress: { host: 'a.example.org' } }, "'host' not allowed"],
    ['an empty secret name', { secrets: { owner: '' } }, '/secrets/owner'],
  ])('refuses %s', (_, values, message) => {
    expect(() => chart.render(values)).toThrow(message);
  });
});
