import { createContext, use } from 'react';

const ReadOnlyContext = createContext(false);

/** Makes the inputs inside read-only, such as while their form is being sent. */
export const ReadOnlyProvider = ReadOnlyContext.Provider;

/** Whether an input is read-only, by itself or with its form. */
export const useReadOnly = (own = false): boolean => use(ReadOnlyContext) || own;
