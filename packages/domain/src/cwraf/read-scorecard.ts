import { isObject } from '../stix/json-value.ts';
import { FileFields, type FileField, pathOf, type FileReport } from './file-fields.ts';
import { readText } from './read-text.ts';
import {
  type ImpactLayer,
  impactLayers,
  readImpact,
  readLayer,
  type TechnicalImpact,
  technicalImpacts,
} from './impacts.ts';
import type { ScorecardCell } from './technical-impact.ts';

/** More entries than this are no scorecard; it has 32 cells. */
const mostEntries = 200;

/** A cell as the file states it. */
interface StatedCell {
  readonly impact: FileField;
  readonly layer: FileField;
  readonly subscore: FileField | undefined;
  readonly notes: FileField | undefined;
  /** Of the cell in the file. */
  readonly path: string;
}

const subscoreNames = ['subscore', 'importance', 'rating', 'score', 'value'] as const;
const notesNames = ['notes', 'note', 'comment', 'comments'] as const;
const listNames = ['cells', 'entries', 'rows', 'scorecard'] as const;

/** Whether a cell, row or column states no rating. */
const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;

/** Reads the 8 x 4 scorecard of a vignette, which files write as a list of cells, a list of rows or a grid. */
class ScorecardReader {
  readonly #report: FileReport;
  /** How many cells have an unknown field, by its name. */
  readonly unknown = new Map<string, number>();
  /** The name of the scorecard, when it is an object with a list of cells. */
  title: FileField | undefined;

  constructor(report: FileReport) {
    this.#report = report;
  }

  cellsOf({ value, path }: FileField): StatedCell[] {
    if (isObject(value)) {
      const fields = new FileFields(value, path, this.#report);
      const list = fields.take(listNames);
      if (list === undefined) return this.#grid({ value, path });
      this.title ??= fields.take(['name']);
      this.#count(fields);
      return this.cellsOf(list);
    }
    if (!Array.isArray(value)) {
      this.#report.refuse(
        path,
        `${path} must be a list of cells, or an object with an object of layers for each impact.`,
      );
      return [];
    }
    if (value.length > mostEntries) {
      this.#report.refuse(path, `${path} has ${value.length} cells; there are 8 impacts at 4 layers.`);
      return [];
    }
    return (value as unknown[]).flatMap((one, at) => this.#entry({ value: one, path: `${path}[${at}]` }));
  }

  /** A cell, or a row of cells: an impact with a field for each layer. */
  #entry({ value, path }: FileField): StatedCell[] {
    if (!isObject(value)) {
      this.#report.refuse(path, `${path} must be an object with impact, layer and subscore.`);
      return [];
    }
    const fields = new FileFields(value, path, this.#report);
    const impact = fields.take(['impact', 'technicalimpact']) ?? { value: undefined, path: `${path}.impact` };
    const layer = fields.take(['layer']);
    const notes = fields.take(notesNames);
    if (layer === undefined && impactLayers.some((name) => fields.has(name.toLowerCase()))) {
      const row = impactLayers.flatMap((name) => {
        const subscore = fields.take([name.toLowerCase()]);
        return subscore && !isBlank(subscore.value)
          ? [{ impact, layer: { value: name, path }, subscore, notes, path }]
          : [];
      });
      this.#count(fields);
      if (row.length === 0) this.notesOf({ notes, path }, false);
      return row;
    }
    const subscore = fields.take(subscoreNames);
    fields.skip(['id']);
    this.#count(fields);
    return [{ impact, layer: layer ?? { value: undefined, path: `${path}.layer` }, subscore, notes, path }];
  }

  /** An object of impacts with an object of layers each, or of layers with an object of impacts each. */
  #grid({ value, path }: FileField): StatedCell[] {
    const outer = Object.entries(value as object);
    if (outer.length > mostEntries) {
      this.#report.refuse(path, `${path} has ${outer.length} rows; there are 8 impacts.`);
      return [];
    }
    const isByLayer = outer.length > 0 && outer.every(([key]) => readLayer(key) !== undefined);
    return outer.flatMap(([key, row]) => {
      const rowPath = pathOf(path, key);
      if (isBlank(row)) return [];
      if (!isObject(row)) {
        this.#report.refuse(
          rowPath,
          `${rowPath} must be an object with a subscore for ${isByLayer ? 'each impact' : 'each layer'}.`,
        );
        return [];
      }
      return Object.entries(row)
        .slice(0, mostEntries)
        .map(([inner, cell]) => {
          const cellPath = pathOf(rowPath, inner);
          const outerField = { value: key, path: rowPath };
          const innerField = { value: inner, path: cellPath };
          const [impact, layer] = isByLayer ? [innerField, outerField] : [outerField, innerField];
          return { impact, layer, path: cellPath, ...this.#gridValue({ value: cell, path: cellPath }) };
        });
    });
  }

  /** A subscore, or an object with subscore and notes. */
  #gridValue(field: FileField): Pick<StatedCell, 'subscore' | 'notes'> {
    if (!isObject(field.value)) return { subscore: field, notes: undefined };
    const fields = new FileFields(field.value, field.path, this.#report);
    const read = { subscore: fields.take(subscoreNames), notes: fields.take(notesNames) };
    this.#count(fields);
    return read;
  }

  /** The notes of a cell or row; without a rating they are left out. */
  notesOf({ notes, path }: Pick<StatedCell, 'notes' | 'path'>, isRated: boolean): string {
    const text = readText(notes, { report: this.#report });
    if (text !== '' && !isRated) this.#report.warn(`${path} has notes but no rating, and was left out.`);
    return text;
  }

  #count(fields: FileFields): void {
    for (const { key } of fields.rest()) this.unknown.set(key, (this.unknown.get(key) ?? 0) + 1);
  }

  impactOf({ value, path }: FileField): TechnicalImpact | undefined {
    const impact = typeof value === 'string' ? readImpact(value) : undefined;
    if (impact === undefined)
      this.#report.refuse(path, `${path} must be one of: ${technicalImpacts.join(', ')}.`);
    return impact;
  }

  layerOf({ value, path }: FileField): ImpactLayer | undefined {
    const layer = typeof value === 'string' ? readLayer(value) : undefined;
    if (layer === undefined) this.#report.refuse(path, `${path} must be one of: ${impactLayers.join(', ')}.`);
    return layer;
  }

  /** @returns null for a cell without a rating */
  subscoreOf(field: FileField | undefined): number | null {
    if (field === undefined) return null;
    const { value, path } = field;
    if (isBlank(value)) return null;
    const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
    // -0 is 0.
    if (typeof number === 'number' && number >= 0 && number <= 10) return number + 0;
    this.#report.refuse(path, `${path} must be a number from 0 to 10, or empty.`);
    return null;
  }
}

const orderOf = ({ impact, layer }: ScorecardCell): number =>
  technicalImpacts.indexOf(impact) * impactLayers.length + impactLayers.indexOf(layer);

interface ReadScorecard {
  /** The field with its name, when the scorecard has one. */
  readonly title: FileField | undefined;
  /** In the order of MITRE's scorecards. Cells without a rating are left out. */
  readonly cells: readonly ScorecardCell[];
}

/** The name and the rated cells of a scorecard. */
export function readScorecard(field: FileField, report: FileReport): ReadScorecard {
  const reader = new ScorecardReader(report);
  const seen = new Map<string, string>();
  const cells = reader.cellsOf(field).flatMap((stated): ScorecardCell[] => {
    const [impact, layer] = [reader.impactOf(stated.impact), reader.layerOf(stated.layer)];
    const subscore = reader.subscoreOf(stated.subscore);
    const notes = reader.notesOf(stated, subscore !== null);
    if (impact === undefined || layer === undefined) return [];
    const { path } = stated;
    const name = `${impact} at the layer ${layer}`;
    const first = seen.get(name);
    if (first !== undefined) report.refuse(path, `${path} rates ${name} again; ${first} has rated it.`);
    seen.set(name, path);
    return subscore === null ? [] : [{ impact, layer, subscore, notes }];
  });
  for (const [key, count] of reader.unknown) {
    const of = count === 1 ? 'a cell' : `${count} cells`;
    report.warn(`The field ${pathOf('', key)} of ${of} is unknown and was ignored.`);
  }
  return { title: reader.title, cells: cells.toSorted((a, b) => orderOf(a) - orderOf(b)) };
}
