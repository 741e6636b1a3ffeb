import {
  BadCursor,
  listPage,
  type ListSource,
  type OrganizationTransaction,
  type PageInput,
  type Total,
} from '@riskboard/db';
import { invalidField } from './http/failure.ts';

interface Shown<T> extends Total {
  rows: T[];
  page: number;
  pageSize: number;
  nextCursor: string | null;
}

interface Identified {
  id: string;
}

interface ListRequest<Row, T> {
  query: PageInput;
  present: (row: Row) => T;
}

/** A page of a list as the contract shows it. @throws Failure 422 for a cursor that is not of this list */
export async function showPage<Row extends Identified, T>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, present }: ListRequest<Row, T>,
): Promise<Shown<T>> {
  try {
    const { rows, ...page } = await listPage<Row>(trx, source, query);
    return { rows: rows.map(present), ...page };
  } catch (error) {
    if (error instanceof BadCursor) throw invalidField('cursor', 'This cursor belongs to another list.');
    throw error;
  }
}
