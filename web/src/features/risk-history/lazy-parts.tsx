import { idlePart } from '../../ui/layout/idle-part.tsx';
import { lazyPart, reserved } from '../../ui/layout/lazy-part.tsx';
import type { RiskHistoryProps } from './risk-history-search.ts';

// Dialog, tables and charts: too large for the budget of the page (decision 18).
const { Part: ExplanationDialog, useIdleLoad } = idlePart(
  async () => (await import('./explain/explanation-dialog.tsx')).ExplanationDialog,
  null,
);

/** The explanation of the number that the URL names. */
export function Explained({ search, onSearch }: RiskHistoryProps) {
  useIdleLoad();
  if (search.explain === undefined) return null;
  return <ExplanationDialog metric={search.explain} onClose={() => onSearch({ explain: undefined })} />;
}

/** 'Why did the number move'. */
export const WhyItMoved = lazyPart(
  async () => (await import('./changes/why-card.tsx')).WhyCard,
  reserved('h-100'),
);

/** 'What to do first'. */
export const WhatToDoFirst = lazyPart(
  async () => (await import('./priorities/first-actions.tsx')).FirstActions,
  reserved('h-100'),
);

/** The numbers over time, two dates side by side, and remediation by week. */
export const RiskHistory = lazyPart(
  async () => (await import('./history/history-section.tsx')).HistorySection,
  reserved('h-200'),
);
