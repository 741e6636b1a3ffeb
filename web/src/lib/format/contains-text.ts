/** Whether `text` contains what a user searches for, ignoring case and the space around it. */
export const containsText = (text: string, search: string): boolean =>
  text.toLowerCase().includes(search.trim().toLowerCase());
