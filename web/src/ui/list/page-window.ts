/**
 * Page numbers to show: at most `most`, with the current page as near the middle as the ends allow
 * (spec 9, Paging: at most 5 page buttons).
 * @param page 1 to `pages`
 */
export function pageWindow(page: number, pages: number, most = 5): number[] {
  const length = Math.min(pages, most);
  const first = Math.min(Math.max(1, page - Math.floor(most / 2)), pages - length + 1);
  return Array.from({ length }, (_, index) => first + index);
}

/** Page number typed by a person: digits only, clamped between 1 and the page count (spec 5); null if no digit. */
export function pageFromText(text: string, pages: number): number | null {
  const digits = text.replaceAll(/\D/gu, '');
  if (digits === '') return null;
  return Math.min(Math.max(1, Number(digits)), pages);
}
