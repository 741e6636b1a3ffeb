/** The original name with a .json suffix (spec 7); a name that has one keeps it. */
export const jsonName = (originalFilename: string): string =>
  /\.json$/iu.test(originalFilename) ? originalFilename : `${originalFilename}.json`;
