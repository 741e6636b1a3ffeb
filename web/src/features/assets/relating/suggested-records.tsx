import { assets, type Suggestion } from '@riskboard/contract';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { SuggestionsCard } from '../../../ui/record/suggestions/suggestions-card.tsx';
import { relatedNouns, type RelatedNoun, useRelate, useSuggestions } from './relations.ts';

/** Threats and vulnerabilities that may concern the asset, each with the reason; nothing without a suggestion. */
export function SuggestedRecords({ assetId }: { assetId: string }) {
  const { data } = useSuggestions(assetId);
  const nouns = relatedNouns.filter((noun) => (data?.[noun].length ?? 0) > 0);
  return nouns.map((noun) => (
    <SuggestedNoun key={noun} assetId={assetId} noun={noun} suggestions={data?.[noun] ?? []} />
  ));
}

interface SuggestedNounProps {
  assetId: string;
  noun: RelatedNoun;
  suggestions: readonly Suggestion[];
}

function SuggestedNoun({ assetId, noun, suggestions }: SuggestedNounProps) {
  const relate = useRelate(assetId);
  const refusal = useRefusal(assets.relate.access);
  return (
    <SuggestionsCard
      noun={noun}
      suggestions={suggestions}
      onRelate={(ids) => relate.mutate({ add: { [noun]: ids } })}
      busy={relate.isPending}
      refusal={refusal}
    />
  );
}
