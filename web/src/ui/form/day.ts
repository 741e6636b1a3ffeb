const two = (number: number): string => String(number).padStart(2, '0');

/** Day of a moment where the reader is, '2026-11-21', as date fields take it; empty for none. */
export function dayOf(moment: string | null): string {
  if (moment === null) return '';
  const date = new Date(moment);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The moment at which a day begins where the reader is, as the API takes it; empty for none. */
export function momentOf(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(day)) return day;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(0);
  moment.setFullYear(year, month - 1, date);
  moment.setHours(0, 0, 0, 0);
  return moment.toISOString();
}
