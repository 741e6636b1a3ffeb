/** Values of an object that is read, as `countValues` counts them. */
export const mostValues = 500_000;
