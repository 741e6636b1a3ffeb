/**
 * The STIX versions of a report, which `joinVersions` joined: '1.2', '1.1.1 and 1.2', '1.0, 1.1.1 and 1.2'. The version
 * attribute of STIX 1.2.1 is 'stix-1.2.1'.
 */
export const listVersions = (versions: string): string => {
  const all = versions.replaceAll('stix-', '').split(',');
  return [all.slice(0, -1).join(', '), all.at(-1)].filter((part) => part !== '').join(' and ');
};
