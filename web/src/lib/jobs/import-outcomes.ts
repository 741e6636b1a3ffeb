import type { ImportCounts } from '@riskboard/contract';
import { outcomeTexts } from '@riskboard/domain';

/** Counts of the rows of a CSV file as texts; of a dry run, which writes nothing, as what an import would do. */
export const importOutcomes = (
  { created, updated, unchanged, failed }: ImportCounts,
  { isWritten }: { isWritten: boolean },
): string[] =>
  outcomeTexts(
    isWritten
      ? { created, updated, unchanged, failed }
      : { 'would be created': created, 'would be updated': updated, unchanged, failed },
  );
