/** How long a test waits by default for what it expects. A short wait does not make a test faster, only less reliable. */
export const waitMs = 20_000;
