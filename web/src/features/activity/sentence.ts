import type { ActivityEntry } from '@riskboard/contract';
import { fieldText, findField } from '../../lib/entity/field-text.ts';
import { changesIn, wordsOf, type Change } from './action-labels.ts';
import { personOf } from './person.tsx';

/** Parts of the sentence '{verb} {object} {tail}', as in 'changed the role of Ben from viewer to analyst'. */
interface Sentence {
  verb: string;
  /** Name of the object; empty when the verb says everything. */
  thing: string;
  tail: string;
}

const spaced = (text: string): string => text.replaceAll('-', ' ');

/** Sentence of an action without its own text: 'project.updated' of 'Harbour' is 'updated the project Harbour'. */
function plainly({ action, name }: ActivityEntry): Sentence {
  const [noun = '', verb] = action.split('.', 2);
  if (verb === undefined) return { verb: spaced(action), thing: name, tail: '' };
  return { verb: `${spaced(verb)} the ${spaced(noun)}`, thing: name, tail: '' };
}

/** The sentence of an entry. */
export function sentenceOf(entry: ActivityEntry): Sentence {
  const words = wordsOf(entry.action);
  if (words === undefined) return plainly(entry);
  return {
    verb: typeof words.verb === 'string' ? words.verb : words.verb(entry),
    thing: words.alone === true ? '' : personOf(entry.name).name,
    tail: words.tail?.(entry.detail) ?? '',
  };
}

/** The changes that the sentence does not contain. */
export function changesOf({ action, detail }: ActivityEntry): [field: string, change: Change][] {
  const told = wordsOf(action)?.tells ?? [];
  return Object.entries(changesIn(detail)).filter(([field]) => !told.includes(field));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Label of an action: 'Report uploaded', 'Signed in'. */
export const actionLabel = (action: string): string =>
  capital(spaced(action.replace(/^account\./u, '').replaceAll('.', ' ')));

export const nounLabel = (noun: string): string => capital(spaced(noun));

/** Label of a field as pages show it; otherwise 'Require second factor' for 'requireSecondFactor'. */
export const fieldLabel = (noun: string, field: string): string =>
  findField(noun, field)?.label ?? spelled(field);

/** Value of a field as pages show it: 'High' for 4, 'Nov 20, 2026' for a timestamp. Empty when there is no value. */
export function fieldValue(noun: string, field: string, value: unknown): string {
  const text = valueText(value);
  const known = findField(noun, field);
  return text !== '' && known !== undefined ? fieldText(known, value) : text;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return JSON.stringify(value);
}

const spelled = (field: string): string =>
  capital(spaced(field.replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ')).toLowerCase());
