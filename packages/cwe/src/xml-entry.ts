import { type CweKind, cleanText } from '@riskboard/domain';
import type { CweEntry } from './catalogue.ts';

/** An element of the file, without its namespace prefix. */
export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlNode | string)[];
}

const blocks = new Set(['p', 'div', 'ul', 'ol', 'li', 'br', 'table', 'tr']);

function write(node: XmlNode, out: string[]): void {
  for (const child of node.children) {
    if (typeof child === 'string') {
      out.push(child.replaceAll(/\s+/gu, ' '));
      continue;
    }
    const isBlock = blocks.has(child.name);
    if (isBlock) out.push('\n');
    if (child.name === 'li') out.push('• ');
    write(child, out);
    if (isBlock) out.push('\n');
  }
}

/** A text without markup; its paragraphs and items are lines. */
function paragraphs(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  const out: string[] = [];
  write(node, out);
  const lines = out
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/ +/gu, ' ').trim());
  return cleanText(lines.filter((line) => line !== '' && line !== '•').join('\n'));
}

const oneLine = (node: XmlNode | undefined): string => paragraphs(node).replaceAll('\n', ' ');

const elements = (node: XmlNode | undefined, name: string): XmlNode[] =>
  (node?.children ?? []).filter((child) => typeof child !== 'string').filter((child) => child.name === name);
const element = (node: XmlNode | undefined, name: string): XmlNode | undefined => elements(node, name)[0];
const textOf = (node: XmlNode | undefined, name: string): string => oneLine(element(node, name));
const textsOf = (node: XmlNode | undefined, name: string): string[] =>
  elements(node, name)
    .map(oneLine)
    .filter((text) => text !== '');

const numberForm = /^[1-9]\d{0,6}$/u;

/** Relations of an element, each once in each view. */
function relations(all: XmlNode[], nature: string | undefined) {
  const found = all.flatMap(({ attributes }) => {
    const ID = attributes['CWE_ID'] ?? '';
    if (!numberForm.test(ID)) return [];
    const relation = { ID, Nature: nature ?? attributes['Nature'] ?? '', View: attributes['View_ID'] ?? '' };
    return [[JSON.stringify(relation), relation] as const];
  });
  return [...new Map(found).values()];
}

/** The elements of the file that are entries. */
export const entryKinds: Readonly<Record<string, CweKind>> = {
  Weakness: 'weakness',
  Category: 'category',
  View: 'view',
};

const abstractions = { category: 'Category', view: 'View' } as const;

function relationsOf(node: XmlNode, kind: CweKind) {
  if (kind === 'weakness')
    return relations(elements(element(node, 'Related_Weaknesses'), 'Related_Weakness'), undefined);
  const members = element(node, kind === 'category' ? 'Relationships' : 'Members');
  return relations(elements(members, 'Has_Member'), 'HasMember');
}

/** The entry that an element states; undefined without a number or a name. */
export function entryOf(node: XmlNode): CweEntry | undefined {
  const kind = entryKinds[node.name];
  const { ID = '', Name = '', Abstraction = '', Structure = '', Status = '' } = node.attributes;
  if (kind === undefined || !numberForm.test(ID) || Name.trim() === '') return undefined;
  const mapping = element(node, 'Mapping_Notes');
  const description = { weakness: 'Description', category: 'Summary', view: 'Objective' }[kind];
  return {
    id: Number(ID),
    kind,
    data: {
      Name: cleanText(Name).trim(),
      Abstraction: kind === 'weakness' ? Abstraction : abstractions[kind],
      Structure,
      Status,
      Description: textOf(node, description),
      ExtendedDescription: paragraphs(element(node, 'Extended_Description')),
      Likelihood: textOf(node, 'Likelihood_Of_Exploit'),
      Weaknesses: relationsOf(node, kind),
      Consequences: elements(element(node, 'Common_Consequences'), 'Consequence').map((one) => ({
        Scope: textsOf(one, 'Scope'),
        Impact: textsOf(one, 'Impact'),
        Likelihood: textOf(one, 'Likelihood'),
        Note: textOf(one, 'Note'),
      })),
      Mitigations: elements(element(node, 'Potential_Mitigations'), 'Mitigation').map((one) => ({
        Phase: textsOf(one, 'Phase'),
        Strategy: textOf(one, 'Strategy'),
        Description: paragraphs(element(one, 'Description')),
        Effectiveness: textOf(one, 'Effectiveness'),
        EffectivenessNotes: textOf(one, 'Effectiveness_Notes'),
      })),
      Mapping: {
        Usage: textOf(mapping, 'Usage'),
        Rationale: textOf(mapping, 'Rationale'),
        Comments: textOf(mapping, 'Comments'),
      },
    },
  };
}
