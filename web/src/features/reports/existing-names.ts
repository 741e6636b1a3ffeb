/** Names asked in one request: keeps the address below the 8 KiB that servers and proxies take. */
const namesAtOnce = 40;
const longestAddress = 6000;

/** Cuts a list of names into requests that a server can take. */
export function inRequests(names: readonly string[]): string[][] {
  const requests: string[][] = [];
  let current: string[] = [];
  let length = 0;
  for (const name of names) {
    const added = encodeURIComponent(name).length + '&name='.length;
    if (current.length === namesAtOnce || (current.length > 0 && length + added > longestAddress)) {
      requests.push(current);
      current = [];
      length = 0;
    }
    current.push(name);
    length += added;
  }
  if (current.length > 0) requests.push(current);
  return requests;
}
