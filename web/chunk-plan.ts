/** A file as the bundler makes it without a plan: modules that the same pages and dynamic imports need. */
export interface Part {
  readonly id: string;
  /** Gzipped. */
  readonly bytes: number;
  /** Parts that it imports statically. */
  readonly imports: readonly string[];
  /** Not merged with others: the chunk of a page. */
  readonly isFixed: boolean;
  /** A library that small parts must not wait for: merged only with parts that import it. */
  readonly isLarge?: boolean;
}

/** Parts that a browser loads together, such as those of a page. */
export interface Load {
  readonly parts: ReadonlySet<string>;
  /** Files that they may become. */
  readonly mostFiles: number;
  /** Bytes that merging may add, because parts of others come with its own. */
  readonly mostAdded: number;
  /** Importance of added bytes: 1 before a page is shown, less afterwards. */
  readonly weight: number;
}

interface Group {
  readonly parts: Set<string>;
  /** Large parts that it needs: only groups that need the same are merged. */
  readonly large: string;
  bytes: number;
  /** For each load, 1 when it needs the group. */
  readonly needed: Uint8Array;
}

interface Loaded extends Load {
  files: number;
  added: number;
}

/** Bytes of a request and its reply, so that merging has a price even for the smallest parts. */
const requestBytes = 100;

/** For each part, the large parts that it is or imports, directly or not. */
function largeOf(parts: readonly Part[]): ReadonlyMap<string, string> {
  const byId = new Map(parts.map((part) => [part.id, part]));
  function reachedBy(part: Part): string {
    const reached = new Set([part]);
    // A set visits what is added while it is walked.
    for (const { imports } of reached)
      for (const id of imports) {
        const imported = byId.get(id);
        if (imported !== undefined) reached.add(imported);
      }
    const large = [...reached].flatMap(({ id, isLarge = false }) => (isLarge ? [id] : []));
    return large.toSorted().join(' ');
  }
  return new Map(parts.map((part) => [part.id, reachedBy(part)]));
}

/** The same for parts that the same loads need; unique for fixed parts and those that no load needs. */
const signatureOf = ({ id, isFixed }: Part, large: string, loads: readonly Load[]): string =>
  isFixed || !loads.some((load) => load.parts.has(id))
    ? id
    : `${loads.map((load) => Number(load.parts.has(id))).join('')} ${large}`;

/** A price that the exact one is never below: without what the two import. */
function leastPrice(one: Group, other: Group, loads: readonly Loaded[]): number {
  let price = requestBytes;
  let files = 0;
  for (const [index, load] of loads.entries()) {
    const hasOne = one.needed[index] === 1;
    if (hasOne !== (other.needed[index] === 1)) price += (hasOne ? other.bytes : one.bytes) * load.weight;
    else if (hasOne && load.files > load.mostFiles) files += 1;
  }
  return files === 0 ? Infinity : price / files;
}

/** Bytes that a load gets in addition when two groups are merged, and the number of files that it loses. */
interface Change {
  readonly load: Loaded;
  readonly index: number;
  readonly bytes: number;
  readonly saved: number;
}

/** @param imported what the two import, directly or not: a load that needed only one of them gets it too */
function changesOf(
  one: Group,
  other: Group,
  { loads, imported }: { loads: readonly Loaded[]; imported: Iterable<Group> },
): Change[] {
  return loads.flatMap((load, index) => {
    const hasOne = one.needed[index] === 1;
    const hasOther = other.needed[index] === 1;
    if (hasOne && hasOther) return [{ load, index, bytes: 0, saved: 1 }];
    if (!hasOne && !hasOther) return [];
    let [bytes, saved] = [hasOne ? other.bytes : one.bytes, 0];
    for (const group of imported) {
      if (group.needed[index] === 1) continue;
      bytes += group.bytes;
      saved -= 1;
    }
    return [{ load, index, bytes, saved }];
  });
}

/** Weighted bytes for each file that changes save in loads with too many; infinite when a load gets too large. */
function priceOf(changes: readonly Change[]): number {
  let price = requestBytes;
  let files = 0;
  for (const { load, bytes, saved } of changes) {
    if (bytes > 0 && load.added + bytes > load.mostAdded) return Infinity;
    price += bytes * load.weight;
    if (load.files > load.mostFiles) files += saved;
  }
  return files <= 0 ? Infinity : price / files;
}

/**
 * Merges parts until no load has too many files, always the two that add the fewest bytes to loads that need only one of
 * them. Groups never import each other in a circle.
 * @returns ids of the parts of each file that is shared
 */
export function planChunks(parts: readonly Part[], planned: readonly Load[]): string[][] {
  const loads: Loaded[] = planned.map((load) => ({ ...load, files: 0, added: 0 }));
  // Parts that the same loads need are one file: no load gets bytes that it does not need.
  const large = largeOf(parts);
  const largeIn = ({ id }: Part) => large.get(id) ?? '';
  const alike = Map.groupBy(parts, (part) => signatureOf(part, largeIn(part), loads));
  const groups = [...alike.values()].map((same): Group => ({
    parts: new Set(same.map(({ id }) => id)),
    large: same[0] === undefined ? '' : largeIn(same[0]),
    bytes: same.reduce((sum, { bytes }) => sum + bytes, 0),
    needed: Uint8Array.from(loads, (load) => Number(load.parts.has(same[0]?.id ?? ''))),
  }));
  for (const [index, load] of loads.entries())
    load.files = groups.filter(({ needed }) => needed[index] === 1).length;
  const byPart = new Map(groups.flatMap((group) => [...group.parts].map((id) => [id, group])));
  const imports = new Map(parts.map((part) => [part.id, part.imports]));
  const known = new Map<Group, ReadonlySet<Group>>();
  /** Groups that a group imports, directly or not. */
  function importsOf(group: Group): ReadonlySet<Group> {
    const before = known.get(group);
    if (before !== undefined) return before;
    const direct = [...group.parts]
      .flatMap((id) => imports.get(id) ?? [])
      .flatMap((id) => byPart.get(id) ?? []);
    const found = new Set(direct.flatMap((other) => (other === group ? [] : [other, ...importsOf(other)])));
    known.set(group, found);
    return found;
  }

  const isFixed = new Set(parts.filter((part) => part.isFixed).map(({ id }) => byPart.get(id)));
  let open = groups.filter((group) => !isFixed.has(group) && group.needed.includes(1));

  /** Whether one group imports the other through a third: merged, they would import each other. */
  const isThrough = (one: Group, other: Group): boolean =>
    [...importsOf(one)].some((group) => group !== other && importsOf(group).has(other));

  /** The change with the lowest price. */
  function cheapest() {
    let best: { one: Group; other: Group; changes: Change[] } | undefined;
    let lowest = Infinity;
    for (const [index, one] of open.entries()) {
      for (const other of open.slice(index + 1)) {
        if (one.large !== other.large || leastPrice(one, other, loads) >= lowest) continue;
        const imported = new Set([...importsOf(one), ...importsOf(other)]);
        for (const group of [one, other]) imported.delete(group);
        const changes = changesOf(one, other, { loads, imported });
        const price = priceOf(changes);
        if (price >= lowest || isThrough(one, other) || isThrough(other, one)) continue;
        [best, lowest] = [{ one, other, changes }, price];
      }
    }
    return best;
  }

  function merge({ one, other, changes }: NonNullable<ReturnType<typeof cheapest>>): void {
    const needed = [one, other, ...importsOf(one), ...importsOf(other)];
    for (const { load, index, bytes, saved } of changes) {
      load.files -= saved;
      load.added += bytes;
      for (const group of needed) group.needed[index] = 1;
    }
    for (const part of other.parts) {
      one.parts.add(part);
      byPart.set(part, one);
    }
    one.bytes += other.bytes;
    open = open.filter((group) => group !== other);
    known.clear();
  }

  while (loads.some(({ files, mostFiles }) => files > mostFiles)) {
    const change = cheapest();
    // The check of the finished build decides whether this is few enough.
    if (change === undefined) break;
    merge(change);
  }
  return open.map((group) => [...group.parts]);
}
