import {
  activity,
  threats,
  vulnerabilities,
  type Graph,
  type RecordSource,
  type ThreatDetail,
  type VulnerabilityDetail,
} from '@riskboard/contract';
import { newId } from './rows.ts';
import { answer, server } from './server.ts';

/** What a report says of a record, valid by the contract. */
export const sourceOf = (change: Partial<RecordSource> = {}): RecordSource => ({
  fileId: newId(),
  file: 'report.json',
  uploadedAt: '2026-11-20T10:00:00.000Z',
  place: '/objects/3',
  type: 'vulnerability',
  stixId: 'vulnerability--1',
  modified: '2026-11-19T10:00:00.000Z',
  state: 'active',
  current: true,
  fields: {},
  ...change,
});

interface RecordAnswers<Detail> {
  detail: Detail;
  sources?: RecordSource[];
  graph?: Graph;
}

const alone: Graph = { nodes: [], edges: [], more: false };
const noActivity = { activity: [], searchedSince: null, total: 0, page: 1, pageSize: 10, nextCursor: null };

/** Answers all that the page of a vulnerability asks; `there` holds what a test may change in between. */
export function answerVulnerability(there: RecordAnswers<VulnerabilityDetail>) {
  server.use(
    answer(vulnerabilities.get, () => there.detail),
    answer(vulnerabilities.sources, () => ({
      sources: there.sources ?? [],
      editedFields: there.detail.editedFields,
    })),
    answer(vulnerabilities.graph, () => there.graph ?? alone),
    answer(activity.list, () => noActivity),
  );
  return there;
}

/** Answers all that the page of a threat asks. */
export function answerThreat(there: RecordAnswers<ThreatDetail>) {
  server.use(
    answer(threats.get, () => there.detail),
    answer(threats.sources, () => ({
      sources: there.sources ?? [],
      editedFields: there.detail.editedFields,
    })),
    answer(threats.graph, () => there.graph ?? alone),
    answer(activity.list, () => noActivity),
  );
  return there;
}
