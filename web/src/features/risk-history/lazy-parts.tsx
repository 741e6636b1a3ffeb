import { lazy, Suspense } from 'react';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import type { RiskHistoryProps } from './risk-history-search.ts';

// Dialog, tables and charts: too large for the budget of the page (decision 18).
const { Part: ExplanationDialog, useIdleLoad } = idlePart(
  async () => (await import('./explain/explanation-dialog.tsx')).ExplanationDialog,
  null,
);
const WhyCard = lazy(async () => ({ default: (await import('./changes/why-card.tsx')).WhyCard }));
const FirstActions = lazy(async () => ({
  default: (await import('./priorities/first-actions.tsx')).FirstActions,
}));
const HistorySection = lazy(async () => ({
  default: (await import('./history/history-section.tsx')).HistorySection,
}));

const reserved = (height: string) => <div aria-hidden className={`${height} rounded border bg-surface`} />;

/** The explanation of the number that the URL names. */
export function Explained({ search, onSearch }: RiskHistoryProps) {
  useIdleLoad();
  if (search.explain === undefined) return null;
  return <ExplanationDialog metric={search.explain} onClose={() => onSearch({ explain: undefined })} />;
}

/** 'Why did the number move'. */
export function WhyItMoved(props: RiskHistoryProps) {
  return (
    <Suspense fallback={reserved('h-100')}>
      <WhyCard {...props} />
    </Suspense>
  );
}

/** 'What to do first'. */
export function WhatToDoFirst() {
  return (
    <Suspense fallback={reserved('h-100')}>
      <FirstActions />
    </Suspense>
  );
}

/** The numbers over time, two dates side by side, and remediation by week. */
export function RiskHistory(props: RiskHistoryProps) {
  return (
    <Suspense fallback={reserved('h-200')}>
      <HistorySection {...props} />
    </Suspense>
  );
}
