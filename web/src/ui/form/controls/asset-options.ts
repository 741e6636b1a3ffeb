import type { Related } from '@riskboard/contract';

/** Assets that the picker of an asset's own relations must not offer (spec 5, Relationships picker). */
export interface AssetRules {
  /** Id of the asset that the form edits. */
  self?: string | undefined;
  /** Ids of the assets that list it as related. */
  parents?: readonly string[] | undefined;
  /** Ids of the assets that depend on it through others. */
  ancestors?: ReadonlySet<string> | undefined;
}

export interface AssetOption extends Related {
  /** Why it cannot be chosen; undefined when it can. */
  refusal: string | undefined;
}

/** Why an asset cannot be chosen: it is chosen already, it is the asset itself, or a cycle would form (spec 5). */
export function assetRefusal(
  id: string,
  chosen: readonly Related[],
  { self, parents, ancestors }: AssetRules,
): string | undefined {
  if (id === self) return 'This asset';
  if (parents?.includes(id) === true) return 'Parent asset: would be a circular reference';
  if (ancestors?.has(id) === true) return 'Depends on this asset: would be a circular reference';
  return chosen.some(({ _id }) => _id === id) ? 'Selected' : undefined;
}
