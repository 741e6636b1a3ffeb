import { vignettes } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Grid3x3, ListPlus, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { openVignetteUpload } from '../upload/vignette-upload-state.ts';
import { useVignetteActions } from '../use-vignette-actions.ts';
import { vignettesSource, type VignettesSearch } from '../vignettes-source.ts';
import { vignettesView } from './vignettes-view.tsx';

interface VignettesPageProps {
  search: VignettesSearch;
  onSearch: (search: VignettesSearch, how?: HowChanged) => void;
}

/** The scoring vignettes of the organization. */
export function VignettesPage({ search, onSearch }: VignettesPageProps) {
  const query = useQuery(vignettesSource.query(search));
  return (
    <>
      <PageHeader
        title="Vignettes"
        description="Business environments with a scorecard that says how bad each technical impact is there."
        actions={
          <>
            <AddStarters />
            <LinkButton
              to="/dashboard/reports/vignettes/new"
              icon={<Plus aria-hidden size={16} />}
              disabledReason={useRefusal(vignettes.create.access)}
            >
              New vignette
            </LinkButton>
            <UploadVignette variant="primary" />
          </>
        }
      />
      <ListPage
        view={vignettesView}
        query={query}
        search={search}
        onSearch={onSearch}
        empty={{
          icon: <Grid3x3 aria-hidden size={20} />,
          description:
            'A vignette is needed to calculate CWSS scores. Start from one of Riskboard or upload one.',
          action: (
            <span className="flex flex-wrap justify-center gap-2">
              <AddStarters />
              <UploadVignette />
            </span>
          ),
        }}
      />
    </>
  );
}

function AddStarters() {
  const { addStarters } = useVignetteActions();
  const [busy, setBusy] = useState(false);
  return (
    <ButtonWithReason
      icon={<ListPlus aria-hidden size={16} />}
      busy={busy}
      disabledReason={useRefusal(vignettes.addStarters.access)}
      onClick={() => {
        setBusy(true);
        void addStarters().finally(() => setBusy(false));
      }}
    >
      Add starter vignettes
    </ButtonWithReason>
  );
}

function UploadVignette({ variant = 'secondary' }: { variant?: 'primary' | 'secondary' }) {
  return (
    <ButtonWithReason
      variant={variant}
      icon={<Upload aria-hidden size={16} />}
      disabledReason={useRefusal(vignettes.upload.access)}
      onClick={() => openVignetteUpload()}
    >
      Upload Vignette
    </ButtonWithReason>
  );
}
