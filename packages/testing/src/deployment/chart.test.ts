import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import {
  chartFolder,
  defaultValues,
  hasHelm,
  helm,
  outline,
  parseResources,
  type Resource,
  templates,
} from './render-chart.ts';

interface Container {
  securityContext: Record<string, unknown>;
  resources: { limits: Record<string, string> };
  command: string[];
  volumeMounts: { name: string; mountPath: string }[];
  envFrom: { secretRef: { name: string } }[];
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

const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as object;
const validate = new Ajv({ strict: false, validateSchema: false }).compile({ ...schema, $schema: undefined });

/** Every optional resource is on. */
const everything = [
  ['worker.keda.enabled', 'true'],
  ['ingress.enabled', 'true'],
  ['secrets.mail', 'mail'],
  ['worker.metricsPort', '9464'],
].flatMap(([name, value]) => ['--set', `${name}=${value}`]);

const rendered: Resource[] = hasHelm()
  ? parseResources(helm('template', 'x', chartFolder, ...everything))
  : templates().flatMap(outline);

const kinds = rendered.map(({ kind }) => kind);
const withPods = rendered.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
const podOf = (resource: Resource): Pod => resource.spec['template'] as Pod;
const named = (kind: string, end: string): Resource => {
  const found = rendered.find((one) => one.kind === kind && one.metadata.name.endsWith(end));
  if (!found) throw new Error(`The chart has no ${kind} ${end}`);
  return found;
};

describe('the chart', () => {
  it('has a workload for each program, and what scales, protects and isolates them', () => {
    expect(kinds.toSorted()).toEqual(
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
    expect(commands.map(([, file]) => String(file)).toSorted()).toEqual([
      'api/src/main.ts',
      'packages/cli/src/main.ts',
      'packages/embedded/src/migrate-main.ts',
      'worker/src/main.ts',
    ]);
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
});

const backup = defaultValues()['backup'] as object;

describe('values.schema.json', () => {
  it('accepts the default values', () => {
    expect([validate(defaultValues()), validate.errors]).toEqual([true, null]);
  });

  it.each([
    ['an unknown value', { typo: 1 }],
    ['an origin with a path', { origin: 'https://risk.example.org/app' }],
    ['a secret among the variables', { environment: { SESSION_SECRET: 'x' } }],
    ['an invalid time of the backup', { backup: { ...backup, at: '25:00' } }],
    ['a missing secret name', { secrets: { common: 'a', session: 'b' } }],
  ])('refuses %s', (_, change) => {
    expect(validate({ ...defaultValues(), ...change })).toBe(false);
  });
});

describe.runIf(hasHelm())('helm', () => {
  it('finds nothing to criticize', () => {
    expect(helm('lint', '--strict', chartFolder)).toContain('0 chart(s) failed');
  });
});
