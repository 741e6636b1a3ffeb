import {
  activity,
  threats,
  vulnerabilities,
  type Graph,
  type RecordSource,
  type RecordSources,
  type RelatedRecords,
  type Suggestion,
  type ThreatDetail,
  type VulnerabilityDetail,
} from '@riskboard/contract';
import { newId } from './rows.ts';
import { answer, server } from './server.ts';

/** A source of a record, valid by the contract. */
export const sourceOf = (change: Partial<RecordSource> = {}): RecordSource => ({
  fileId: newId(),
  file: 'report.json',
  uploadedAt: '2026-11-20T10:00:00.000Z',
  location: '/objects/3',
  type: 'vulnerability',
  stixId: 'vulnerability--1',
  modified: '2026-11-19T10:00:00.000Z',
  state: 'active',
  current: true,
  fills: [],
  fields: {},
  ...change,
});

/** A record that one report relates to another record. */
export const relatedRecordOf = (
  name: string,
  change: Partial<RelatedRecords['related'][number]> = {},
): RelatedRecords['related'][number] => ({
  _id: newId(),
  name,
  score: null,
  relations: [{ type: 'exploits', fileId: newId(), file: 'report.json' }],
  relationTotal: 1,
  ...change,
});

interface RecordAnswers<Detail> {
  detail: Detail;
  /** The listed sources, and how many there are beyond these, each in a report of its own. */
  sources?: RecordSource[];
  otherSources?: number;
  graph?: Graph;
  related?: RelatedRecords['related'];
  /** Suggested assets. */
  suggestions?: Suggestion[];
}

const relatedOf = (related: RelatedRecords['related'] = []): RelatedRecords => ({
  related,
  total: related.length,
});

const sourcesOf = ({
  detail,
  sources = [],
  otherSources = 0,
}: RecordAnswers<{ editedFields: string[] }>): RecordSources => ({
  sources,
  total: sources.length + otherSources,
  reportTotal: new Set(sources.map(({ fileId }) => fileId)).size + otherSources,
  editedFields: detail.editedFields,
});

const emptyGraph: Graph = { nodes: [], edges: [], more: false };
const noActivity = { activity: [], searchedSince: null, total: 0, page: 1, pageSize: 10, nextCursor: null };

/** Answers every call of the page of a vulnerability. A test may change the returned object between calls. */
export function answerVulnerability(replies: RecordAnswers<VulnerabilityDetail>) {
  server.use(
    answer(vulnerabilities.get, () => replies.detail),
    answer(vulnerabilities.sources, () => sourcesOf(replies)),
    answer(vulnerabilities.suggestions, () => ({ assets: replies.suggestions ?? [] })),
    answer(vulnerabilities.related, () => relatedOf(replies.related)),
    answer(vulnerabilities.graph, () => replies.graph ?? emptyGraph),
    answer(activity.list, () => noActivity),
  );
  return replies;
}

/** Answers every call of the page of a threat. A test may change the returned object between calls. */
export function answerThreat(replies: RecordAnswers<ThreatDetail>) {
  server.use(
    answer(threats.get, () => replies.detail),
    answer(threats.sources, () => sourcesOf(replies)),
    answer(threats.suggestions, () => ({ assets: replies.suggestions ?? [] })),
    answer(threats.related, () => relatedOf(replies.related)),
    answer(threats.graph, () => replies.graph ?? emptyGraph),
    answer(activity.list, () => noActivity),
  );
  return replies;
}
