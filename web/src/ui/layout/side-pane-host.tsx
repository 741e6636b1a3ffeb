import { createStore } from '../../lib/browser/store.ts';

/** The element of the shell beside the page. */
export const sidePaneHost = createStore<HTMLElement | null>(null);

/** Where the shell shows the pane of a page: beside it, so that both can be used. */
export const SidePaneHost = () => <div ref={(element) => sidePaneHost.set(element)} className="contents" />;
