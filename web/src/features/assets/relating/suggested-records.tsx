import { assets, type Suggestion } from '@riskboard/contract';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { SuggestionList } from '../../../ui/record/suggestions/suggestion-list.tsx';
import { relatedNouns, type RelatedNoun, useRelate, useSuggestions } from './relations.ts';

/** Threats and vulnerabilities that may concern the asset, each with the reason; nothing when there are none. */
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
  const accept = (accepted: readonly Suggestion[]) =>
    relate.mutate({ add: { [noun]: accepted.map(({ _id }) => _id) } });
  return (
    <Card
      title={`Suggested ${noun}`}
      actions={
        suggestions.length > 1 && (
          <ButtonWithReason
            size="sm"
            disabled={relate.isPending}
            disabledReason={refusal}
            onClick={() => accept(suggestions)}
          >
            Relate all {suggestions.length}
          </ButtonWithReason>
        )
      }
    >
      <SuggestionList
        noun={noun}
        label={`Suggested ${noun}`}
        suggestions={suggestions}
        onRelate={accept}
        busy={relate.isPending}
        refusal={refusal}
      />
    </Card>
  );
}
