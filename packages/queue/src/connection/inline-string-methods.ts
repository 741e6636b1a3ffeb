/** More calls than V8 runs without recording the types that it sees. */
const calls = 1000;

const firstCode = (text: string): number => text.charCodeAt(0);

/**
 * Lets V8 inline the methods of strings again. A module that declares a subclass of String, as ioredis does, makes V8 keep the
 * properties of `String.prototype` in a dictionary, and reading XML then takes 2.3 times as long (docs/performance/ingest.md).
 * Reading properties of a String object makes V8 give its prototype a fixed shape again. Takes some microseconds.
 */
export function inlineStringMethods(): void {
  const text = Object('a') as string;
  for (let call = 0; call < calls; call += 1) firstCode(text);
}
