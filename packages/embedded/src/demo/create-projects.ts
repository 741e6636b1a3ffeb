import type { SampleAsset, SampleProject } from '../../sample/organization/sample-asset.ts';
import { threatRatings } from '../../sample/organization/threat-ratings.ts';
import type { ProgressBar } from './progress-bar.ts';
import { call, type Session } from './session.ts';

interface Created {
  _id: string;
}

/** Assets with their project, each after the assets that it depends on. @throws when dependencies form a cycle */
export function dependenciesFirst(projects: readonly SampleProject[]): [SampleProject, SampleAsset][] {
  const ordered: [SampleProject, SampleAsset][] = [];
  const created = new Set<string>();
  let waiting = projects.flatMap((project) =>
    project.assets.map((asset): [SampleProject, SampleAsset] => [project, asset]),
  );
  while (waiting.length > 0) {
    const isReady = ([, { dependsOn = [] }]: [SampleProject, SampleAsset]): boolean =>
      dependsOn.every((name) => created.has(name));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error(`no order for ${waiting.map(([, { name }]) => name).join(', ')}`);
    ordered.push(...ready);
    for (const [, { name }] of ready) created.add(name);
    waiting = waiting.filter(([, { name }]) => !created.has(name));
  }
  return ordered;
}

function found(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} was not created`);
  return id;
}

/** Creates the projects and their assets with what they depend on. @returns ids of the assets by name */
async function createAssets(
  session: Session,
  projects: readonly SampleProject[],
  onDone: (done: number, total: number) => void,
): Promise<Map<string, string>> {
  const projectIds = new Map<string, string>();
  for (const { assets: _assets, ...body } of projects) {
    const { _id } = await call<Created>(session, { method: 'POST', path: '/api/projects', body });
    projectIds.set(body.name, _id);
  }
  const ids = new Map<string, string>();
  const ordered = dependenciesFirst(projects);
  for (const [project, asset] of ordered) {
    const [criticality, confidentialityLevel, integrityLevel, availabilityLevel] = asset.levels;
    const [replacementCost, recoveryCost] = asset.costs;
    const body = {
      name: asset.name,
      description: asset.description,
      assetTypeId: asset.type,
      criticality,
      confidentialityLevel,
      integrityLevel,
      availabilityLevel,
      replacementCost,
      recoveryCost,
      startDate: project.startDate,
      isActive: true,
      relatedAssets: (asset.dependsOn ?? []).map((name) => found(ids, name)),
    };
    const path = `/api/assets?projectId=${found(projectIds, project.name)}`;
    const { _id } = await call<Created>(session, { method: 'POST', path, body });
    ids.set(asset.name, _id);
    onDone(ids.size, ordered.length);
  }
  return ids;
}

interface Relating {
  noun: 'vulnerabilities' | 'threats';
  /** Names or identifiers of the records of an asset. */
  recordsOf: (asset: SampleAsset) => readonly string[];
  assets: readonly SampleAsset[];
  ids: ReadonlyMap<string, string>;
}

interface FoundRecord extends Created {
  name: string;
  cveId?: string;
  threatID?: string;
}

/** What the analysts rated; the risk level is derived from it. */
function ratingOf(names: readonly string[]): object {
  const rating = names.map((name) => threatRatings.get(name)).find((one) => one !== undefined);
  return rating === undefined ? {} : { likelihood: rating[0], impact: rating[1] };
}

/** Relates the imported records to the assets that name them, and rates threats. */
async function relate(session: Session, { noun, recordsOf, assets, ids }: Relating): Promise<void> {
  const list = await call<Record<typeof noun, FoundRecord[]>>(session, {
    path: `/api/${noun}?pageSize=500&sort=name`,
  });
  for (const { _id, name, cveId = '', threatID = '' } of list[noun]) {
    const names = [name, cveId, threatID].filter(Boolean);
    const relatedAssets = assets
      .filter((asset) => recordsOf(asset).some((one) => names.includes(one)))
      .map((asset) => found(ids, asset.name));
    const body = {
      ...(relatedAssets.length > 0 && { relatedAssets }),
      ...(noun === 'threats' && ratingOf(names)),
    };
    if (Object.keys(body).length > 0)
      await call(session, { method: 'PUT', path: `/api/${noun}/${_id}`, body });
  }
}

/**
 * Creates the projects and assets of the demo organization through the api and relates the imported vulnerabilities and
 * threats to them. @returns the ids of the assets by name
 */
export async function createProjects(
  session: Session,
  projects: readonly SampleProject[],
  bar: ProgressBar,
): Promise<ReadonlyMap<string, string>> {
  const ids = await createAssets(session, projects, (done, total) =>
    bar.show('creating projects and assets', done, total),
  );
  const assets = projects.flatMap((project) => project.assets);
  await relate(session, {
    noun: 'vulnerabilities',
    recordsOf: (one) => one.vulnerabilities ?? [],
    assets,
    ids,
  });
  await relate(session, { noun: 'threats', recordsOf: (one) => one.threats ?? [], assets, ids });
  return ids;
}
