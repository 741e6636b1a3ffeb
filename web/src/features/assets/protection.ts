import type { Asset } from '@riskboard/contract';
import { fieldText } from '../../lib/entity/field-text.ts';
import { asset } from './asset.ts';

/** Confidentiality is out of 5, integrity and availability out of 4 (spec 3, Asset). */
const goals = [
  { initial: 'C', name: 'confidentialityLevel', outOf: 5 },
  { initial: 'I', name: 'integrityLevel', outOf: 4 },
  { initial: 'A', name: 'availabilityLevel', outOf: 4 },
] as const;

type Levels = Pick<Asset, (typeof goals)[number]['name']>;

/** A protection goal of an asset with its level; null when it is not set. */
export interface Protection {
  initial: (typeof goals)[number]['initial'];
  name: (typeof goals)[number]['name'];
  label: string;
  level: number | null;
  outOf: number;
  /** The level in words, such as 'Top Secret'; 'Not set' without a level. */
  text: string;
}

/** Confidentiality, integrity and availability of an asset, in this order. */
export const protectionsOf = (levels: Levels): Protection[] =>
  goals.map(({ initial, name, outOf }) => {
    const field = asset.fields[name];
    const level = levels[name];
    return {
      initial,
      name,
      label: field.label,
      level,
      outOf,
      text: level === null ? 'Not set' : fieldText(field, level),
    };
  });
