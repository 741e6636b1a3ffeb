import type { Selected } from '../../ui/list/use-selection.ts';
import { createOwnedStore } from '../session/page-owner.ts';

/** The vulnerabilities whose CWSS is to be calculated: one, or the selected rows of a list. */
export type CalculationRequest =
  | {
      readonly record: {
        readonly _id: string;
        readonly name: string;
        /** Name of the vignette of its newest score; empty without one. */
        readonly appliedVignette: string;
      };
    }
  | { readonly selected: Selected };

/** The open 'Calculate CWSS' dialog. Lists, panes and pages open it; the dashboard shows it. */
export const calculationRequest = createOwnedStore<CalculationRequest | null>(null);
