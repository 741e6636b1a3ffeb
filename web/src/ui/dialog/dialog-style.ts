/** Style of the backdrop of dialogs and drawers. */
export const backdropStyle =
  'fixed inset-0 z-40 min-h-dvh bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';

/** Style of centered dialogs. Popups have no transition when they open: the content is there in the first frame. */
export const dialogStyle =
  'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-32px)] max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0';
