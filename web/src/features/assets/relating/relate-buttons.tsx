import { assets, type AssetDetail } from '@riskboard/contract';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { quoted } from '../../../lib/format/name-text.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { noSuggestions, relatedNouns, type RelatedNoun, useRelate, useSuggestions } from './relations.ts';

const { Part: RelateDialog, useIdleLoad } = idlePart(
  async () => (await import('./relate-dialog.tsx')).RelateDialog,
  null,
);

/** 'Relate threats' and 'Relate vulnerabilities' of an asset's page. */
export function RelateButtons({ detail: { _id, name } }: { detail: Pick<AssetDetail, '_id' | 'name'> }) {
  const [noun, setNoun] = useState<RelatedNoun>();
  const refusal = useRefusal(assets.relate.access);
  const relate = useRelate(_id);
  const { data } = useSuggestions(_id);
  useIdleLoad();
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {relatedNouns.map((one) => (
        <ButtonWithReason
          key={one}
          size="sm"
          icon={<Link2 aria-hidden size={14} />}
          disabledReason={refusal}
          onClick={() => setNoun(one)}
        >
          Relate {one}
        </ButtonWithReason>
      ))}
      {noun !== undefined && (
        <RelateDialog
          noun={noun}
          target={quoted(name)}
          assetId={_id}
          suggestions={data?.[noun] ?? noSuggestions}
          onRelate={(ids) => relate.mutateAsync({ add: { [noun]: ids } })}
          onClose={() => setNoun(undefined)}
        />
      )}
    </span>
  );
}
