/** The technical impacts of CWRAF, in the order of MITRE's scorecards. */
export const technicalImpacts = [
  'Modify data',
  'Read data',
  'DoS: unreliable execution',
  'DoS: resource consumption',
  'Execute unauthorized code or commands',
  'Gain privileges / assume identity',
  'Bypass protection mechanism',
  'Hide activities',
] as const;
export type TechnicalImpact = (typeof technicalImpacts)[number];

/** The layers at which an impact is rated. */
export const impactLayers = ['System', 'Application', 'Network', 'Enterprise'] as const;
export type ImpactLayer = (typeof impactLayers)[number];

/** How sure the mapping of a CWE impact is: `core` states the same, `extended` is a judgement. */
export type ImpactTier = 'core' | 'extended';

interface MappedImpact {
  readonly impact: TechnicalImpact;
  readonly tier: ImpactTier;
}

const core = (impact: TechnicalImpact): MappedImpact => ({ impact, tier: 'core' });
const extended = (impact: TechnicalImpact): MappedImpact => ({ impact, tier: 'extended' });

/**
 * Impacts of CWE's consequences (enumeration of the CWE schema 7) and the technical impact that each one means. MITRE
 * publishes no such table; this one is ours. Impacts without an outcome for an attacker, and those that state none
 * ('Varies by Context', 'Other'), have no entry: they are unknown, not 0.
 */
const byCweImpact: ReadonlyMap<string, MappedImpact> = new Map([
  ['Modify Memory', core('Modify data')],
  ['Modify Files or Directories', core('Modify data')],
  ['Modify Application Data', core('Modify data')],
  ['Read Memory', core('Read data')],
  ['Read Files or Directories', core('Read data')],
  ['Read Application Data', core('Read data')],
  ['DoS: Crash, Exit, or Restart', core('DoS: unreliable execution')],
  ['DoS: Instability', core('DoS: unreliable execution')],
  ['DoS: Amplification', core('DoS: resource consumption')],
  ['DoS: Resource Consumption (CPU)', core('DoS: resource consumption')],
  ['DoS: Resource Consumption (Memory)', core('DoS: resource consumption')],
  ['DoS: Resource Consumption (Other)', core('DoS: resource consumption')],
  ['Execute Unauthorized Code or Commands', core('Execute unauthorized code or commands')],
  ['Gain Privileges or Assume Identity', core('Gain privileges / assume identity')],
  ['Bypass Protection Mechanism', core('Bypass protection mechanism')],
  ['Hide Activities', core('Hide activities')],
  ['Alter Execution Logic', extended('DoS: unreliable execution')],
  ['Unexpected State', extended('DoS: unreliable execution')],
  ['Reduce Reliability', extended('DoS: unreliable execution')],
  ['Reduce Performance', extended('DoS: resource consumption')],
]);

/** The technical impact of a CWE impact; undefined for one without, and for an unknown one. */
export const technicalImpactOf = (cweImpact: string): MappedImpact | undefined => byCweImpact.get(cweImpact);

const comparable = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/gu, '');

const impactByName = new Map(technicalImpacts.map((impact) => [comparable(impact), impact]));
const layerByName = new Map(impactLayers.map((layer) => [comparable(layer), layer]));

/** Reads the name of a technical impact in any case and punctuation. MITRE writes some in several ways. */
export const readImpact = (text: string): TechnicalImpact | undefined => impactByName.get(comparable(text));

/** Reads the name of a layer in any case. */
export const readLayer = (text: string): ImpactLayer | undefined => layerByName.get(comparable(text));
