/** What a checkbox shows. */
export const stateOfCheckbox = (box: HTMLElement): 'checked' | 'unchecked' | 'mixed' => {
  if (!(box instanceof HTMLInputElement)) throw new TypeError('This is not a checkbox input.');
  if (box.indeterminate) return 'mixed';
  return box.checked ? 'checked' : 'unchecked';
};
