import type { CwssInputs } from './calculate.ts';
import { cwssOrder, quantified, type CwssFactor } from './factors.ts';
import { parseCwssVector, weightText, type CwssChoice, type CwssChoices } from './vector.ts';

/** What is stored with a score and decides it. */
export interface StoredCwssScore {
  /** In canonical form. */
  readonly vector: string;
  readonly vignetteId: string;
  readonly vignetteName: string;
  readonly vignetteVersion: number;
  readonly catalogueVersion: string;
  readonly formulaVersion: string;
  readonly inputs: CwssInputs;
}

const choicesOf = ({ vector }: StoredCwssScore): Partial<CwssChoices> => {
  const read = parseCwssVector(vector);
  return read.ok ? read.choices : {};
};

const choiceText = (choice: CwssChoice | undefined): string => {
  if (choice === undefined) return 'none';
  return choice.code === quantified ? `${quantified} ${weightText(choice.weight)}` : choice.code;
};

/** How a factor moved: its value, or who decides it and why. */
function factorChange(factor: CwssFactor, before: StoredCwssScore, after: StoredCwssScore): string[] {
  const from = choiceText(choicesOf(before)[factor]);
  const to = choiceText(choicesOf(after)[factor]);
  if (from !== to) return [`${factor}: ${from} to ${to}`];
  const [was, is] = [before.inputs.overrides[factor], after.inputs.overrides[factor]];
  if (was === undefined && is !== undefined) return [`${factor}: ${to} set by an analyst`];
  if (was !== undefined && is === undefined) return [`${factor}: ${to} no longer set by an analyst`];
  return was?.reason === is?.reason ? [] : [`${factor}: another reason for ${to}`];
}

function vignetteChange(before: StoredCwssScore, after: StoredCwssScore): string[] {
  const renamed = before.vignetteName !== after.vignetteName;
  if (before.vignetteId !== after.vignetteId)
    return [`vignette ${before.vignetteName} to ${renamed ? after.vignetteName : 'another of this name'}`];
  return [
    ...(renamed ? [`vignette name ${before.vignetteName} to ${after.vignetteName}`] : []),
    ...(before.vignetteVersion === after.vignetteVersion
      ? []
      : [`vignette version ${before.vignetteVersion} to ${after.vignetteVersion}`]),
  ];
}

const cweText = ({ inputs }: StoredCwssScore): string =>
  inputs.weaknesses.map(({ cwe }) => cwe).join(', ') || 'none';

const assetText = ({ inputs: { asset } }: StoredCwssScore): string =>
  asset === null ? 'none' : `${asset.name} (criticality ${asset.criticality})`;

interface Fact {
  readonly label: string;
  readonly textOf: (score: StoredCwssScore) => string;
  /** For facts with the same text that can differ. */
  readonly idOf?: (score: StoredCwssScore) => string | undefined;
}

/** In the order in which their changes are listed. */
const facts: readonly Fact[] = [
  { label: 'CWE', textOf: cweText },
  { label: 'CVE', textOf: ({ inputs }) => inputs.cveId || 'none' },
  { label: 'most critical asset', textOf: assetText, idOf: ({ inputs }) => inputs.asset?.id },
  { label: 'weakness catalogue', textOf: ({ catalogueVersion }) => catalogueVersion || 'none' },
  { label: 'formula', textOf: ({ formulaVersion }) => formulaVersion },
];

function factChange(
  { label, textOf, idOf }: Fact,
  before: StoredCwssScore,
  after: StoredCwssScore,
): string[] {
  const [from, to] = [textOf(before), textOf(after)];
  if (from !== to) return [`${label} ${from} to ${to}`];
  return idOf?.(before) === idOf?.(after) ? [] : [`${label} ${from} to another of this name`];
}

/** What changed between two scores of one vulnerability, as in 'AP: D to A' or 'vignette version 1 to 2'. */
export function cwssScoreChanges(before: StoredCwssScore, after: StoredCwssScore): string[] {
  return [
    ...vignetteChange(before, after),
    ...cwssOrder.flatMap((factor) => factorChange(factor, before, after)),
    ...(before.inputs.cvssVector === after.inputs.cvssVector ? [] : ['CVSS vector changed']),
    ...facts.flatMap((fact) => factChange(fact, before, after)),
  ];
}
