import { mostSuggestions, type Suggestion } from '@riskboard/contract';
import {
  assetsForRecord,
  type OrganizationTransaction,
  type RecordTableName,
  recordsForAsset,
} from '@riskboard/db';
import {
  assetMatcher,
  recordMatcher,
  suggestionReasons,
  termsOfAsset,
  termsOfRecord,
} from '@riskboard/domain';
import { Failure } from '../lib/http/failure.ts';

type Ranked = Suggestion & { rank: number };

/** The best ones (contract, Suggestions); without a reason a record is not suggested. */
const best = (ranked: readonly Ranked[]): Suggestion[] =>
  ranked
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted(
      (one, other) =>
        other.rank - one.rank ||
        (other.score ?? -1) - (one.score ?? -1) ||
        one.name.localeCompare(other.name, 'en') ||
        one._id.localeCompare(other._id),
    )
    .slice(0, mostSuggestions)
    .map(({ rank: _rank, ...suggestion }) => suggestion);

/** Threats and vulnerabilities that may concern an asset. @throws Failure 404 */
export async function suggestionsForAsset(
  trx: OrganizationTransaction,
  id: string,
): Promise<{ threats: Suggestion[]; vulnerabilities: Suggestion[] }> {
  const asset = await trx
    .selectFrom('asset')
    .select(['id', 'name', 'description', 'reference'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!asset) throw new Failure('not_found', 'Asset not found.');
  const matcher = assetMatcher(asset);
  const terms = termsOfAsset(matcher, asset);
  const suggest = async (table: RecordTableName): Promise<Suggestion[]> => {
    const found = await recordsForAsset(trx, { table, assetId: asset.id, terms });
    return best(
      found.map((record) => ({
        _id: record.id,
        name: record.name,
        subtitle: record.identifier,
        score: record.score,
        ...suggestionReasons(matcher, recordMatcher(record), record.dependency ?? undefined),
      })),
    );
  };
  return { threats: await suggest('threat'), vulnerabilities: await suggest('vulnerability') };
}

interface SourceRecord {
  id: string;
  name: string;
  description: string;
  details: unknown;
}

/** Affected products of a report; records that a person created have no report. */
function affectedProducts({ details }: SourceRecord): string[] {
  const { affectedProducts: affected } = details as { affectedProducts?: unknown };
  return Array.isArray(affected) ? affected.filter((one) => typeof one === 'string') : [];
}

async function findSource(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<(SourceRecord & { identifier: string }) | undefined> {
  const common = ['id', 'name', 'description', 'details'] as const;
  return table === 'vulnerability'
    ? trx
        .selectFrom(table)
        .select([...common, 'cve_id as identifier'])
        .where('id', '=', id)
        .executeTakeFirst()
    : trx
        .selectFrom(table)
        .select([...common, 'threat_id as identifier'])
        .where('id', '=', id)
        .executeTakeFirst();
}

/** Assets that a vulnerability or threat may concern. @throws Failure 404 */
export async function suggestionsForRecord(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<{ assets: Suggestion[] }> {
  const source = await findSource(trx, table, id);
  if (!source) throw new Failure('not_found');
  const record = { ...source, affectedProducts: affectedProducts(source) };
  const matcher = recordMatcher(record);
  const terms = termsOfRecord(matcher, record);
  const found = await assetsForRecord(trx, { table, id: source.id, terms });
  return {
    assets: best(
      found.map((asset) => ({
        _id: asset.id,
        name: asset.name,
        subtitle: asset.projectName,
        score: null,
        ...suggestionReasons(assetMatcher(asset), matcher, asset.dependency ?? undefined),
      })),
    ),
  };
}
