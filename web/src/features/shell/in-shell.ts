import { createContext } from 'react';

/** Whether a page is inside the frame of rail and top bar, which has the landmarks. */
export const InShell = createContext(false);
