import type { assets, Reply } from '@riskboard/contract';

export type Child = Reply<typeof assets.hierarchy>['children'][number];

/** An asset in the tree. An asset that several assets depend on has a row under each of them. */
export interface TreeRow {
  /** Ids from the first level down to the asset. */
  readonly key: string;
  readonly parentKey: string | undefined;
  readonly asset: Child;
  /** From 1. */
  readonly level: number;
  /** Position among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly isExpanded: boolean;
}

interface Level {
  children: readonly Child[];
  parentKey: string | undefined;
  level: number;
  next: number;
}

/**
 * The visible rows of a tree, from top to bottom. Without recursion, so that no depth is too deep.
 * @param childrenOf the children of an asset by its id; undefined until they are loaded
 */
export function rowsOf(
  root: readonly Child[],
  expanded: ReadonlySet<string>,
  childrenOf: (id: string) => readonly Child[] | undefined,
): TreeRow[] {
  const rows: TreeRow[] = [];
  const levels: Level[] = [{ children: root, parentKey: undefined, level: 1, next: 0 }];
  for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
    const { children, parentKey, level } = top;
    const asset = children[top.next];
    top.next += 1;
    if (asset === undefined) {
      levels.pop();
      continue;
    }
    const key = parentKey === undefined ? asset._id : `${parentKey}/${asset._id}`;
    const isExpanded = asset.childCount > 0 && expanded.has(key);
    rows.push({ key, parentKey, asset, level, position: top.next, siblings: children.length, isExpanded });
    if (isExpanded)
      levels.push({ children: childrenOf(asset._id) ?? [], parentKey: key, level: level + 1, next: 0 });
  }
  return rows;
}

/** What a key does in a tree (ARIA Authoring Practices, Tree View). */
export type TreeAction =
  | { readonly move: TreeRow }
  | { readonly expand: readonly TreeRow[] }
  | { readonly collapse: TreeRow }
  | { readonly open: TreeRow };

const expandable = ({ asset, isExpanded }: TreeRow): boolean => asset.childCount > 0 && !isExpanded;

type KeyRule = (rows: readonly TreeRow[], at: TreeRow) => TreeAction | undefined;

const moveTo = (row: TreeRow | undefined): TreeAction | undefined => row && { move: row };

const keyRules: Readonly<Record<string, KeyRule>> = {
  ArrowDown: (rows, at) => moveTo(rows[rows.indexOf(at) + 1]),
  ArrowUp: (rows, at) => moveTo(rows[rows.indexOf(at) - 1]),
  Home: ([first]) => moveTo(first),
  End: (rows) => moveTo(rows.at(-1)),
  ArrowRight(rows, at) {
    if (expandable(at)) return { expand: [at] };
    const next = rows[rows.indexOf(at) + 1];
    return moveTo(next?.parentKey === at.key ? next : undefined);
  },
  ArrowLeft: (rows, at) =>
    at.isExpanded ? { collapse: at } : moveTo(rows.find((row) => row.key === at.parentKey)),
  Enter: (_rows, at) => ({ open: at }),
  '*': (rows, at) => ({ expand: rows.filter((row) => row.parentKey === at.parentKey && expandable(row)) }),
};

/** The action of a key on a row; undefined when the key does nothing there. */
export function actionOf(rows: readonly TreeRow[], at: TreeRow, key: string): TreeAction | undefined {
  const rule = keyRules[key];
  if (rule !== undefined) return rule(rows, at);
  return /^\S$/u.test(key) ? moveTo(startingWith(rows, rows.indexOf(at), key)) : undefined;
}

/** The next row after a position whose name starts with a character, the first rows after the last. */
function startingWith(rows: readonly TreeRow[], index: number, key: string): TreeRow | undefined {
  const start = key.toLowerCase();
  return [...rows.slice(index + 1), ...rows.slice(0, index)].find(({ asset }) =>
    asset.name.toLowerCase().startsWith(start),
  );
}
