import type { CsvImport, ImportCounts, ImportNoun } from '@riskboard/contract';
import { entities } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isMissing } from '../../lib/api/errors.ts';
import { createStore } from '../../lib/browser/store.ts';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { pagesOf } from '../../lib/entity/entity.ts';
import { formatSize } from '../../lib/format/format.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { LinkButton } from '../../ui/button/link-button.tsx';
import { LoadFailed } from '../../ui/feedback/load-failed.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useOnlyProject } from '../../ui/form/controls/use-option-search.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { FileNameText } from '../../ui/text/file.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ColumnsStep } from './columns/columns-step.tsx';
import { importTitle, isRunning, isWritten, missingText, missingTitle, stateLooks } from './import-labels.ts';
import { importPages, type ImportSearch, type OnImportSearch } from './import-search.ts';
import { importQuery, refreshImports } from './queries.ts';
import { CheckStep } from './report/check-step.tsx';
import { ImportStep } from './report/import-step.tsx';
import { DeleteImport } from './run/delete-import.tsx';
import { RunProgress } from './run/run-progress.tsx';
import { ImportSteps, ShownStep, stepOf } from './steps.tsx';
import { EarlierImports } from './upload/earlier-imports.tsx';
import { UploadStep } from './upload/upload-step.tsx';

interface ImportPageProps {
  noun: ImportNoun;
  search: ImportSearch;
  onSearch: OnImportSearch;
}

/** Import of assets or vulnerabilities from a CSV file, step by step; the URL and the server hold the state. */
export function ImportPage({ noun, search, onSearch }: ImportPageProps) {
  const id = search.import;
  const [shown] = useState(() => createStore<string | undefined>(undefined));
  return (
    <ShownStep value={shown}>
      {id === undefined ? (
        <NewImport noun={noun} search={search} onSearch={onSearch} />
      ) : (
        <OpenImport key={id} noun={noun} id={id} search={search} onSearch={onSearch} />
      )}
    </ShownStep>
  );
}

function NewImport({ noun, search, onSearch }: ImportPageProps) {
  const queryClient = useQueryClient();
  const { many } = entities[noun];
  const only = useOnlyProject(noun === 'assets');

  function onStored(csv: CsvImport): void {
    queryClient.setQueryData(importQuery(csv._id).queryKey, csv);
    void refreshImports(queryClient);
    onSearch({ import: csv._id, project: search.project ?? only });
  }

  return (
    <>
      <PageHeader
        title={importTitle(noun)}
        description={`Create and update ${many} from a spreadsheet or another tool.`}
      />
      <ImportSteps current="Upload" />
      <div className="flex flex-col gap-4">
        <UploadStep noun={noun} onStored={onStored} />
        <EarlierImports
          noun={noun}
          page={search.page}
          onPage={(page, how) => onSearch({ ...search, page }, how)}
        />
      </div>
    </>
  );
}

function OpenImport({ noun, id, search, onSearch }: ImportPageProps & { id: string }) {
  const query = useQuery(importQuery(id));
  const { data: csv, error } = query;
  useNamedPage(csv?.fileName);
  if (csv === undefined && error === null) return <Skeleton width="40%" />;
  if (csv === undefined || isMissing(error)) {
    return (
      <LoadFailed
        heading={importTitle(noun)}
        title={missingTitle(error)}
        missing={missingText}
        query={query}
        list={{ to: importPages[noun], label: 'All imports' }}
      />
    );
  }
  // An address with the import of the other noun.
  if (csv.noun !== noun) return <Navigate to={importPages[csv.noun]} search={search} replace />;

  return (
    <>
      <ImportHeader csv={csv} onDeleted={() => onSearch({}, { replace: true })} />
      <ImportSteps current={stepOf(csv, search)} state={csv.state} />
      <Step csv={csv} search={search} onSearch={onSearch} />
    </>
  );
}

function Step({ csv, search, onSearch }: Omit<ImportPageProps, 'noun'> & { csv: CsvImport }) {
  if (isRunning(csv.state)) return <RunProgress csv={csv as Parameters<typeof RunProgress>[0]['csv']} />;
  const step = stepOf(csv, search);
  if (step === 'Import') return <ImportStep csv={csv} search={search} onSearch={onSearch} />;
  if (step === 'Dry run' && hasCounts(csv))
    return <CheckStep csv={csv} search={search} onSearch={onSearch} />;
  return <ColumnsStep csv={csv} search={search} onSearch={onSearch} />;
}

const hasCounts = (csv: CsvImport): csv is CsvImport & { counts: ImportCounts } => csv.counts !== null;

function ImportHeader({ csv, onDeleted }: { csv: CsvImport; onDeleted: () => void }) {
  const { noun, fileName, bytes, rows, createdAt, createdBy, state } = csv;
  const { many } = entities[noun];
  const { label, tone } = stateLooks[state];
  return (
    <PageHeader
      title={<FileNameText name={fileName} />}
      description={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span>{importTitle(noun)}</span>
          <span className="tabular-nums">{plural(rows, 'row')}</span>
          <span className="tabular-nums">{formatSize(bytes)}</span>
          <span>
            uploaded <Time value={createdAt} />
            {createdBy !== '' && ` by ${createdBy}`}
          </span>
          <Badge tone={tone}>{label}</Badge>
        </span>
      }
      actions={
        <>
          <DeleteImport csv={csv} onDeleted={onDeleted} />
          <LinkButton to={importPages[noun]}>All imports</LinkButton>
          {isWritten(state) && (
            <LinkButton to={pagesOf(noun).list} variant="primary">
              {`Show ${many}`}
            </LinkButton>
          )}
        </>
      }
    />
  );
}
