import { entities, type ActivityEntry, type EntityNoun, type Field, type Fields } from '@riskboard/contract';
import { cwssFactors, isCwssFactor, type CwssFactor } from '@riskboard/domain';
import { fieldText } from '../../lib/entity/field-text.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { valueText } from '../../ui/cwss/cwss-text.ts';
import { changesIn, phraseOf, type Change } from './action-labels.ts';
import { personOf } from './person.tsx';

/** Fields of an entity by its noun. */
const fieldsOf = (noun: EntityNoun): Fields => entities[noun].fields;

/** The field of that name; undefined when the noun is not an entity or has no such field. */
const findField = (noun: string, name: string): Field | undefined =>
  Object.hasOwn(entities, noun) ? fieldsOf(noun as EntityNoun)[name] : undefined;

/** What an entry says: '{verb} {thing} {tail}', as in 'changed the role of Ben from viewer to analyst'. */
interface Sentence {
  verb: string;
  /** Name of the object; empty where the verb is complete. */
  thing: string;
  tail: string;
}

const spaced = (text: string): string => text.replaceAll('-', ' ');

/** An action that is not declared: 'project.archived' of 'Harbour' becomes 'archived the project Harbour'. */
function undeclared({ action, name }: ActivityEntry): Sentence {
  const [noun = '', verb] = action.split('.', 2);
  if (verb === undefined) return { verb: spaced(action), thing: name, tail: '' };
  return { verb: `${spaced(verb)} the ${spaced(noun)}`, thing: name, tail: '' };
}

/** The sentence of an entry. */
export function sentenceOf(entry: ActivityEntry): Sentence {
  const phrase = phraseOf(entry.action);
  if (phrase === undefined) return undeclared(entry);
  return {
    verb: phrase.verb?.(entry) ?? phrase.label,
    thing: phrase.alone === true ? '' : personOf(entry.name).name,
    tail: phrase.tail?.(entry.detail) ?? '',
  };
}

/** The changes that the sentence itself does not describe. An identifier is logged with the name of its record. */
export function changesOf({ action, noun, detail }: ActivityEntry): [field: string, change: Change][] {
  const described = phraseOf(action)?.describes ?? [];
  return Object.entries(changesIn(detail)).filter(
    ([field]) => !described.includes(field) && findField(noun, field)?.type !== 'id',
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Name of an action in a list: 'Report uploaded', 'Logged in'. */
export const actionLabel = (action: string): string =>
  capital(
    spaced(
      action
        .replace(/^account\./u, '')
        // Stored entries have these names; texts say 'log in'.
        .replace(/^signed-(?=in|out)/u, 'logged-')
        .replace(/^sign-in-/u, 'login-')
        .replaceAll('.', ' '),
    ),
  );

export const nounLabel = (noun: string): string => capital(spaced(noun));

const reasonSuffix = ' reason';

/** The CWSS factor of a logged 'FC' or 'FC reason'; undefined for other fields. */
function findFactor(noun: string, field: string): CwssFactor | undefined {
  const code = field.replace(reasonSuffix, '');
  return noun === 'vulnerabilities' && isCwssFactor(code) ? code : undefined;
}

/** Name of a field, as the pages call it; else 'Require second factor' of 'requireSecondFactor'. */
export function fieldLabel(noun: string, field: string): string {
  const factor = findFactor(noun, field);
  if (factor === undefined) return findField(noun, field)?.label ?? spelled(field);
  const { label } = cwssFactors[factor];
  return field === factor ? label : `Reason for ${label}`;
}

/** Value of a field as pages show it: 'High' for 4, 'Nov 20, 2026' for a timestamp. Empty when there is no value. */
export function fieldValue(noun: string, field: string, value: unknown): string {
  const text = textOf(value);
  if (text === '') return '';
  const factor = findFactor(noun, field);
  if (factor === field) return valueText(factor, text);
  const known = findField(noun, field);
  return known === undefined ? text : fieldText(known, value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return JSON.stringify(value);
}

const spelled = (field: string): string =>
  capital(spaced(field.replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ')).toLowerCase());
