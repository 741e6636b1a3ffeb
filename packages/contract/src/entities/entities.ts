import { assetEntity } from './asset.ts';
import type { Entity } from './field.ts';
import { projectEntity } from './project.ts';
import { threatEntity } from './threat.ts';
import { vulnerabilityEntity } from './vulnerability.ts';

/** Every entity by its noun. */
export const entities = {
  vulnerabilities: vulnerabilityEntity,
  threats: threatEntity,
  assets: assetEntity,
  projects: projectEntity,
} as const satisfies Readonly<Record<string, Entity>>;
export type EntityNoun = keyof typeof entities;
