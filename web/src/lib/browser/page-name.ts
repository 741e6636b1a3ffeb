import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

const pageName = createStore<string | undefined>(undefined);

/** Says what the record of this page is called: the breadcrumbs and the window's title then name it. */
export function useNamedPage(name: string | undefined): void {
  useEffect(() => {
    pageName.set(name);
    return () => pageName.set(undefined);
  }, [name]);
}

/** What the record of the page that is shown is called; undefined where nobody has said it. */
export const usePageName = (): string | undefined => useStore(pageName);
