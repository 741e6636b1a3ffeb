import { jsonBytes, type JsonObject } from '@riskboard/domain';
import { JsonSlicer } from '@riskboard/json';

const identifying: ReadonlySet<string> = new Set(['type', 'id']);
/** Longer values are not kept, as those of a container. */
const longestValue = 1000;

/** The type and id of an object that cannot be read, from its first bytes; of any other value, nothing. */
export function identityIn(bytes: Buffer): JsonObject {
  const found: Record<string, unknown> = {};
  if (bytes[0] !== jsonBytes.openObject) return found;
  let member: unknown;
  const slicer = new JsonSlicer({
    open: () => undefined,
    close: () => undefined,
    name: ({ text = '""' }) => {
      member = JSON.parse(text);
      return false;
    },
    member: ({ text }) => {
      if (typeof member !== 'string' || !identifying.has(member)) return;
      if (text !== undefined && text.length <= longestValue) found[member] = JSON.parse(text);
    },
    list: () => undefined,
    element: () => undefined,
  });
  try {
    slicer.push(bytes);
  } catch {
    // The grammar of an object that is not read is not checked: what precedes the fault is used.
  }
  return found;
}
