/** Source: mapping section 5, "threatTypeId"; the numbers are those of spec, Threat. */
const malware = 1;
const phishing = 2;
const denialOfService = 3;
const insider = 4;
const dataBreach = 5;
const socialEngineering = 6;

/** Techniques by catalogue id; a technique id covers its sub-techniques. */
const byId: ReadonlyMap<string, number> = new Map([
  ...['T1566', 'T1598', 'T1534', 'T1660', 'T0865'].map((id): [string, number] => [id, phishing]),
  ...['98', '163', '164', '656'].map((id): [string, number] => [`CAPEC-${id}`, phishing]),
  ...['T1498', 'T1499', 'T0814', 'T1464'].map((id): [string, number] => [id, denialOfService]),
  ...['125', '482', '486', '487', '488', '489', '490', '528'].map((id): [string, number] => [
    `CAPEC-${id}`,
    denialOfService,
  ]),
  ['T1656', socialEngineering],
]);

const insiderTypes: ReadonlySet<string> = new Set([
  'insider-accidental',
  'insider-disgruntled',
  'insider threat',
]);

export interface ThreatTraits {
  /** SDO type, or its 1.x counterpart. */
  type: string;
  /** The catalogue id that is shown; ids of other catalogues are ignored. */
  id?: string | undefined;
  /** Actor, tool or malware types in any case. */
  kinds?: readonly string[];
  /** Phase names of MITRE kill chains, in any case. */
  tactics?: readonly string[];
  /** CAPEC `x_capec_domains`, in any case. */
  domains?: readonly string[];
}

const hasTerm = (terms: readonly string[], term: string): boolean =>
  terms.some((one) => one.toLowerCase() === term);

type Rule = (traits: ThreatTraits) => number | undefined;

const rules: Readonly<Record<string, Rule>> = {
  malware: () => malware,
  tool: ({ kinds = [] }) => (hasTerm(kinds, 'denial-of-service') ? denialOfService : undefined),
  'threat-actor': ({ kinds = [] }) =>
    kinds.some((kind) => insiderTypes.has(kind.toLowerCase())) ? insider : undefined,
  'attack-pattern': ({ id = '', tactics = [], domains = [] }) => {
    const technique = byId.get(id.replace(/\.\d{3}$/, ''));
    if (technique !== undefined) return technique;
    if (hasTerm(domains, 'social engineering')) return socialEngineering;
    return hasTerm(tactics, 'exfiltration') ? dataBreach : undefined;
  },
};

/** The threat type, 1 to 6; undefined where no rule applies. Descriptions are not interpreted. */
export function threatTypeId(traits: ThreatTraits): number | undefined {
  return rules[traits.type]?.(traits);
}
