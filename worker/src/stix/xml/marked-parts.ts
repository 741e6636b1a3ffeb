import { strictestTlp, type MarkedPart } from '@riskboard/domain';
import { attributeOf, type Resolve, type StartElement } from './start-element.ts';

/** TLP labels of elements: by `{namespace}name`, by the name alone when its prefix is not bound, and by `#id`. */
export type MarkedParts = ReadonlyMap<string, string>;

/** Most elements that are looked for: the labels of others apply to all of the package. */
export const mostParts = 200;

function keyOf(part: MarkedPart['part'], resolve: Resolve): string {
  if ('id' in part) return `#${part.id}`;
  const uri = part.prefix === undefined ? undefined : resolve(part.prefix);
  return uri === undefined ? part.local : `{${uri}}${part.local}`;
}

/** Adds the marked parts of a header to those of the packages around it. */
export function addParts(
  outer: MarkedParts | undefined,
  parts: readonly MarkedPart[],
  resolve: Resolve,
): { marked: MarkedParts | undefined; leftOver: string | undefined } {
  if (parts.length === 0) return { marked: outer, leftOver: undefined };
  const marked = new Map(outer);
  let leftOver: string | undefined;
  for (const { part, tlp } of parts) {
    const key = keyOf(part, resolve);
    if (marked.size < mostParts || marked.has(key))
      marked.set(key, strictestTlp([marked.get(key), tlp]) ?? tlp);
    else leftOver = strictestTlp([leftOver, tlp]);
  }
  return { marked, leftOver };
}

/** The TLP label that the headers give to an element. */
export function labelOf(marked: MarkedParts, start: StartElement): string | undefined {
  const { uri, local } = start;
  const id = attributeOf(start, 'id')?.trim();
  return strictestTlp([marked.get(`{${uri}}${local}`), marked.get(local), marked.get(`#${id}`)]);
}
