import { isObject } from '../stix/json-value.ts';
import { FileFields, type FileField, FileReport, shownText, type VignetteProblem } from './file-fields.ts';
import { readScorecard } from './read-scorecard.ts';
import { readText, readTexts } from './read-text.ts';
import type { ScorecardCell } from './technical-impact.ts';
import { parseVignetteText } from './vignette-text.ts';

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
  /** At least one cell; each impact and layer at most once, in the order of MITRE's scorecards. */
  readonly scorecard: readonly ScorecardCell[];
}

export type ReadVignette =
  | { readonly ok: true; readonly vignette: Vignette; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly VignetteProblem[] };

/** Objects that some files put the fields into. */
const wrappers = ['content', 'vignette'] as const;

/** Fields of a vignette in an answer of the API that are not part of its content, as `FileFields` compares names. */
const answered = [
  'id',
  'originalfilename',
  'version',
  'versions',
  'ratedcells',
  'vulnerabilities',
  'createdat',
  'createdby',
  'updatedat',
  'updatedby',
] as const;

/** The fields at the top of a file, and those of the object that wraps some or all of them. */
class VignetteFields {
  readonly #parts: readonly FileFields[];
  readonly #report: FileReport;

  constructor(json: object, report: FileReport) {
    this.#report = report;
    const top = new FileFields(json, '', report);
    const inner = top.take(wrappers);
    if (inner !== undefined && !isObject(inner.value))
      report.warn(`The field ${inner.path} is not an object and was ignored.`);
    this.#parts = inner === undefined ? [top] : [top, new FileFields(inner.value, inner.path, report)];
  }

  /** The first of these fields with a value, at the top before the wrapper; another value of the wrapper is a warning. */
  take(names: readonly string[]): FileField | undefined {
    const [first, ...others] = this.#parts.flatMap((part) => part.take(names) ?? []);
    for (const { value, path } of others)
      if (JSON.stringify(value) !== JSON.stringify(first?.value))
        this.#report.warn(`${path} was ignored, because ${first?.path} is used.`);
    return first;
  }

  /** Leaves out fields that are not stored, without a warning. */
  skip(names: readonly string[]): void {
    for (const part of this.#parts) part.skip(names);
  }

  /** Fields that no vignette has. */
  unknown(): FileField[] {
    return this.#parts.flatMap((part) => part.rest());
  }
}

/**
 * Reads a CWRAF vignette from parsed JSON. MITRE defines no file format: fields have any case and punctuation, are at the
 * top or under `content`, and the scorecard is a list of cells, a list of rows or a grid. Unknown fields give warnings.
 */
export function readVignette(json: unknown): ReadVignette {
  if (!isObject(json)) {
    return { ok: false, problems: [{ path: '', message: 'A vignette is a JSON object.' }] };
  }
  const report = new FileReport();
  const fields = new VignetteFields(json, report);
  const text = (...names: string[]) => readText(fields.take(names), { report });
  const line = (...names: string[]) => readText(fields.take(names), { report, name: true });

  const name = line('name');
  const scorecardName = line('scorecardname');
  if (name === '' && scorecardName === '' && report.problems.length === 0)
    report.refuse('name', 'The vignette has no name.');
  const stated = fields.take(['scorecard', 'technicalimpactscorecard']);
  const { title, cells: scorecard } = readScorecard(
    stated ?? { value: undefined, path: 'scorecard' },
    report,
  );
  const cardName = readText(title, { report, name: true });
  if (scorecardName !== '' && cardName !== '' && cardName !== scorecardName)
    report.warn(
      `${title?.path} was ignored, because the name of the scorecard is ${shownText(scorecardName)}.`,
    );
  if (scorecard.length === 0 && report.problems.length === 0)
    report.refuse('scorecard', 'No cell of the scorecard has a rating.');
  const vignette: Vignette = {
    name: name || scorecardName,
    scorecardName: scorecardName || cardName || name,
    description: text('description', 'desc'),
    domain: line('domain', 'businessdomain'),
    maturity: line('maturity'),
    archetypes: readTexts(fields.take(['archetypes']), report),
    businessValueContext: text('businessvaluecontext', 'bvc', 'businessvaluecontextbvc'),
    notes: text('notes'),
    references: readTexts(fields.take(['references']), report),
    origin: line('origin'),
    scorecard,
  };
  fields.skip(answered);
  for (const { path } of fields.unknown()) report.warn(`The field ${path} is unknown and was ignored.`);
  return report.problems.length > 0
    ? { ok: false, problems: report.problems }
    : { ok: true, vignette, warnings: report.warnings };
}

/** Reads a vignette from the text of a file. */
export function readVignetteText(text: string): ReadVignette {
  const parsed = parseVignetteText(text);
  return parsed.ok
    ? readVignette(parsed.json)
    : { ok: false, problems: [{ path: '', message: parsed.message }] };
}

/** The text of a vignette's file, which `readVignetteText` reads back as it is. */
export function vignetteText(vignette: Vignette): string {
  const { name, scorecardName, description, domain, maturity, archetypes } = vignette;
  const { businessValueContext, notes, references, origin } = vignette;
  const scorecard = vignette.scorecard.map(({ impact, layer, subscore, notes: note }) => ({
    impact,
    layer,
    subscore,
    notes: note,
  }));
  const file: Vignette = {
    name,
    scorecardName,
    description,
    domain,
    maturity,
    archetypes,
    businessValueContext,
    notes,
    references,
    origin,
    scorecard,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
