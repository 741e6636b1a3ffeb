import type { PaneProps } from '../../../ui/list/list-page.tsx';
import { RecordPeek } from '../../../ui/record/peek/record-peek.tsx';
import { asset } from '../asset.ts';
import { AssetEssentials, assetEssentials } from './asset-facts.tsx';

/** The pane of an asset beside its list. */
export const AssetPeek = (props: PaneProps) => (
  <RecordPeek entity={asset} fields={assetEssentials} {...props}>
    {(detail) => <AssetEssentials detail={detail} />}
  </RecordPeek>
);
