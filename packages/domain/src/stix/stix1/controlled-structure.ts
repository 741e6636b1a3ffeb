/** An element that an XPath selects, by its name or by the `id` that it states. */
export type PartName =
  | { readonly prefix: string | undefined; readonly local: string }
  | { readonly id: string };

/** What the `Controlled_Structure` of a header's marking covers. */
export interface Coverage {
  /** All of the package or report of the header. */
  readonly isWhole: boolean;
  /** The elements that it covers, with everything inside them. */
  readonly parts: readonly PartName[];
  /** An alternative cannot be decided. */
  readonly isUnclear: boolean;
}

/** Longer expressions are not read: real ones have some dozens of characters. */
const longestPath = 1000;

const axis = String.raw`(?:(?:child|self|descendant|descendant-or-self|ancestor|ancestor-or-self)::)?`;
const name = String.raw`[^\s/:[\]()@|=*"'.][^\s/:[\]()@|=*"']*`;
const step = String.raw`${axis}(?:(?<prefix>${name}):)?(?<local>${name}|\*)(?:\[@id=(?<quote>["'])(?<id>[^"']+)\k<quote>\])?`;
const earlierStep = String.raw`${axis}(?:${name}:)?(?:${name}|\*)(?:\[@id=["'][^"']+["']\])?//?`;
/** The steps in front of the last one only select fewer elements. */
const selection = new RegExp(String.raw`^(?:(?:\.\./)+|/{1,2}|(?=ancestor))(?:${earlierStep})*${step}$`);

/** The end of an XPath that selects what is inside an element, which does not change what it covers. */
const content = new RegExp(
  String.raw`(?://?(?:descendant(?:-or-self)?::)?(?:node\(\)|text\(\)|\*|@(?:\*|(?:${name}:)?${name})))+$`,
);
/** From the `Controlled_Structure` of a header to an element around it. */
const upwards = /^(?:\.\.\/)*\.\.$/;

/** Parents between a `Controlled_Structure` and its package: the marking, the `Handling` and the header. */
const stepsToHeader = 3;

function coverageOfPath(path: string, around: readonly string[]): Partial<Coverage> {
  const element = path.replace(content, '');
  if (element === '' && path !== '') return { isWhole: true };
  if (upwards.test(element)) return { isWhole: element.split('/').length > stepsToHeader };
  const { prefix, local = '*', id } = selection.exec(element)?.groups ?? {};
  const contains = around.includes(local);
  if (id !== undefined && !contains) return { parts: [{ id }] };
  if (id !== undefined || local === '*') return { isUnclear: true };
  return contains ? { isWhole: true } : { parts: [{ prefix, local }] };
}

/** The alternatives of an XPath, without the blanks that mean nothing. */
const alternativesOf = (path: string): string[] =>
  path.length > longestPath ? [''] : path.replaceAll(/ ?([|/[\]()=@]|::) ?/g, '$1').split('|');

/**
 * Reads the XPaths of a marking in a header. The last step of an XPath decides, so that it covers at least what is selected.
 * Without an XPath it is unclear what the marking covers.
 * @param around local names of the elements that contain the header
 */
export function coverageOf(paths: readonly string[], around: readonly string[]): Coverage {
  const alternatives = paths.length === 0 ? [''] : paths.flatMap(alternativesOf);
  const found = alternatives.map((path) => coverageOfPath(path.trim(), around));
  return {
    isWhole: found.some(({ isWhole }) => isWhole),
    parts: found.flatMap(({ parts = [] }) => parts),
    isUnclear: found.some(({ isUnclear }) => isUnclear),
  };
}
