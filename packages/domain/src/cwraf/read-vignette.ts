import { impactLayers, readImpact, readLayer, technicalImpacts } from './impacts.ts';
import type { ScorecardCell } from './technical-impact.ts';

/** A scoring vignette as it is stored: an environment and how bad each technical impact is there. */
export interface Vignette {
  readonly name: string;
  /** Name of the scorecard; the vignette's name when the file states none. */
  readonly scorecardName: string;
  readonly description: string;
  readonly domain: string;
  readonly maturity: string;
  readonly archetypes: readonly string[];
  readonly businessValueContext: string;
  readonly notes: string;
  readonly references: readonly string[];
  /** Who wrote it. */
  readonly origin: string;
  /** At least one cell; each impact and layer at most once. */
  readonly scorecard: readonly ScorecardCell[];
}

export interface VignetteProblem {
  /** Path in the file, as in scorecard[3].subscore; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

export type ReadVignette =
  | { readonly ok: true; readonly vignette: Vignette }
  | { readonly ok: false; readonly problems: readonly VignetteProblem[] };

/** Longest texts in characters, and most entries of a list. */
const longest = { name: 200, text: 20_000, entries: 200 } as const;
const mostProblems = 50;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a vignette and collects what is wrong with it. */
class VignetteReader {
  readonly problems: VignetteProblem[] = [];

  report(path: string, message: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ path, message });
  }

  /** A text of any of these names; empty when absent. */
  text(fields: Fields, names: readonly string[], most: number = longest.text): string {
    for (const name of names) {
      const value = fields[name];
      if (value === undefined || value === null || value === '') continue;
      if (typeof value !== 'string') this.report(name, `${name} must be a text.`);
      else if (value.includes('\0') || !value.isWellFormed())
        this.report(
          name,
          `${name} contains a character that cannot be stored (NUL or half a surrogate pair).`,
        );
      else if (value.length > most) this.report(name, `${name} has more than ${most} characters.`);
      else if (value.trim() !== '') return value.trim();
    }
    return '';
  }

  texts(fields: Fields, names: readonly string[]): string[] {
    const name = names.find((one) => fields[one] !== undefined && fields[one] !== null);
    if (name === undefined) return [];
    const value = fields[name];
    const list = Array.isArray(value) ? (value as unknown[]) : [value];
    if (list.length > longest.entries) this.report(name, `${name} has more than ${longest.entries} entries.`);
    return list
      .slice(0, longest.entries)
      .map((one, at) => this.text({ [`${name}[${at}]`]: one }, [`${name}[${at}]`]))
      .filter(Boolean);
  }

  /** @returns null for a cell without a rating */
  subscore(value: unknown, path: string): number | null {
    if (value === undefined || value === null || value === '') return null;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && number >= 0 && number <= 10) return number === 0 ? 0 : number;
    this.report(path, `${path} must be a number from 0 to 10, or empty.`);
    return null;
  }

  cell(value: unknown, path: string): ScorecardCell | undefined {
    if (!isFields(value)) {
      this.report(path, `${path} must be an object with impact, layer and subscore.`);
      return undefined;
    }
    const [impactText, layerText] = [value['impact'], value['layer']];
    const impact = typeof impactText === 'string' ? readImpact(impactText) : undefined;
    const layer = typeof layerText === 'string' ? readLayer(layerText) : undefined;
    if (impact === undefined)
      this.report(`${path}.impact`, `${path}.impact must be one of: ${technicalImpacts.join(', ')}.`);
    if (layer === undefined)
      this.report(`${path}.layer`, `${path}.layer must be one of: ${impactLayers.join(', ')}.`);
    const subscore = this.subscore(value['subscore'] ?? value['importance'], `${path}.subscore`);
    const notes = this.text(value, ['notes', 'note']);
    if (impact === undefined || layer === undefined || subscore === null) return undefined;
    return { impact, layer, subscore, notes };
  }

  /** A list of cells, or an object of layers by impact. */
  scorecard(value: unknown): ScorecardCell[] {
    const cells = isFields(value) ? cellsOfGrid(value) : value;
    if (!Array.isArray(cells)) {
      this.report(
        'scorecard',
        'scorecard must be a list of cells, or an object with an object of layers for each impact.',
      );
      return [];
    }
    if (cells.length > longest.entries) {
      this.report('scorecard', `scorecard has ${cells.length} cells; there are 8 impacts at 4 layers.`);
      return [];
    }
    const read = (cells as unknown[]).map((cell, at) => [at, this.cell(cell, `scorecard[${at}]`)] as const);
    const seen = new Map<string, number>();
    for (const [at, cell] of read) {
      if (cell === undefined) continue;
      const key = `${cell.impact} at the layer ${cell.layer}`;
      const first = seen.get(key);
      if (first !== undefined)
        this.report(
          `scorecard[${at}]`,
          `scorecard[${at}] rates ${key} again; scorecard[${first}] has rated it.`,
        );
      else seen.set(key, at);
    }
    return read.flatMap(([, cell]) => cell ?? []);
  }
}

const cellsOfGrid = (grid: Fields): unknown[] =>
  Object.entries(grid).flatMap(([impact, layers]) =>
    isFields(layers)
      ? Object.entries(layers).map(([layer, subscore]) => ({ impact, layer, subscore }))
      : [layers],
  );

/**
 * Reads a CWRAF vignette from parsed JSON. MITRE defines no file format: the fields may be at the top or under
 * `content`, and the scorecard a list of cells or a grid. Cells without a rating are left out.
 */
export function readVignette(json: unknown): ReadVignette {
  const reader = new VignetteReader();
  if (!isFields(json)) {
    return { ok: false, problems: [{ path: '', message: 'A vignette is a JSON object.' }] };
  }
  const fields: Fields = isFields(json['content']) ? { ...json['content'], ...json } : json;
  const scorecardName = reader.text(fields, ['scorecardName'], longest.name);
  const name =
    reader.text(fields, ['name'], longest.name) ||
    (isFields(json['content']) ? reader.text(json['content'], ['name'], longest.name) : '') ||
    scorecardName;
  if (name === '' && reader.problems.length === 0) reader.report('name', 'The vignette has no name.');
  const scorecard = reader.scorecard(fields['scorecard'] ?? fields['technicalImpactScorecard']);
  if (scorecard.length === 0 && reader.problems.length === 0)
    reader.report('scorecard', 'No cell of the scorecard has a rating.');
  const vignette: Vignette = {
    name,
    scorecardName: scorecardName || name,
    description: reader.text(fields, ['description', 'desc']),
    domain: reader.text(fields, ['domain', 'businessDomain'], longest.name),
    maturity: reader.text(fields, ['maturity'], longest.name),
    archetypes: reader.texts(fields, ['archetypes']),
    businessValueContext: reader.text(fields, ['businessValueContext', 'bvc']),
    notes: reader.text(fields, ['notes']),
    references: reader.texts(fields, ['references']),
    origin: reader.text(fields, ['origin'], longest.name),
    scorecard,
  };
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, vignette };
}
