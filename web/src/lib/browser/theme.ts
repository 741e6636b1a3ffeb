import { createStore, useStore } from './store.ts';

const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

/** Also read by public/theme.js before the first paint. */
const key = 'riskboard.theme';

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return isTheme(value) ? value : 'system';
  } catch {
    return 'system';
  }
}

const theme = createStore<Theme>(stored());

/** Sets and stores the theme; `system` follows the operating system. */
export function setTheme(next: Theme): void {
  theme.set(next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
}

export const useTheme = (): Theme => useStore(theme);
