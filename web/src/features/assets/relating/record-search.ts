import { threats, vulnerabilities } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import type { RelatedNoun } from './relations.ts';

/** A record that the dialog offers. */
export interface OfferedRecord {
  _id: string;
  name: string;
  subtitle: string;
  score: number | null;
}

interface Found {
  records: OfferedRecord[];
  total: number;
}

async function findThreats(query: Record<string, unknown>, signal: AbortSignal): Promise<Found> {
  const { threats: rows, total } = await call(threats.list, { query, signal });
  return {
    records: rows.map((row) => ({
      _id: row._id,
      name: row.name,
      subtitle: row.threatID,
      score: row.riskLevel,
    })),
    total,
  };
}

async function findVulnerabilities(query: Record<string, unknown>, signal: AbortSignal): Promise<Found> {
  const { vulnerabilities: rows, total } = await call(vulnerabilities.list, { query, signal });
  return {
    records: rows.map((row) => ({
      _id: row._id,
      name: row.name,
      subtitle: row.cveId,
      score: row.cvssScore ?? row.severity,
    })),
    total,
  };
}

const finders = { threats: findThreats, vulnerabilities: findVulnerabilities } as const;
const shown = 50;

/** Threats or vulnerabilities whose name or id contains the text, and which of those the asset has already. */
export function useRecordSearch(noun: RelatedNoun, search: string, assetId: string | undefined) {
  const page = { page: 1, pageSize: shown };
  return useQuery({
    queryKey: [noun, 'relatable', search, assetId],
    async queryFn({ signal }) {
      const found = await finders[noun]({ ...page, ...(search !== '' && { search }) }, signal);
      const ids = found.records.map(({ _id }) => _id);
      const own =
        assetId === undefined || ids.length === 0
          ? []
          : (await finders[noun]({ ...page, ids, assetId }, signal)).records;
      return { ...found, related: new Set(own.map(({ _id }) => _id)) };
    },
    placeholderData: (former, query) => (query?.queryKey[0] === noun ? former : undefined),
  });
}
