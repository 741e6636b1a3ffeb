import type { SelectItem } from './select-field.tsx';

/** Choices of an enumeration whose values are numbers, such as `threatTypes`. */
export const itemsOf = (enumeration: Readonly<Record<number, string>>): SelectItem[] =>
  Object.entries(enumeration).map(([value, label]) => ({ value, label }));
