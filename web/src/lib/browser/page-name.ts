import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

const pageName = createStore<string | undefined>(undefined);

/** Sets the name of the current record for the breadcrumbs and the window title. */
export function useNamedPage(name: string | undefined): void {
  useEffect(() => {
    pageName.set(name);
    return () => pageName.set(undefined);
  }, [name]);
}

/** Name of the current record; undefined when the page has not set one. */
export const usePageName = (): string | undefined => useStore(pageName);
