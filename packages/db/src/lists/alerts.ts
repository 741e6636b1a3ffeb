import { alertList } from '@riskboard/contract';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** The member who reads the inbox; `owner`: shows alerts that are for owners only. */
export interface AlertReader {
  accountId: string;
  owner: boolean;
}

/** Alerts that a member may see, each with the member's own read state; those before the membership are read. */
export function alertSource({ accountId, owner }: AlertReader): ListSource<typeof alertList.fields> {
  // The clause is text: nothing but an identifier may become part of it.
  if (!uuid.test(accountId)) throw new Error('An account id is not a UUID');
  return {
    fields: alertList.fields,
    from: `(select alert.*,
        alert.id <= coalesce(reader.read_until, '00000000-0000-0000-0000-000000000000')
        or alert.created_at < member.created_at or exists (
          select from alert_read mark where mark.organization_id = alert.organization_id
            and mark.account_id = '${accountId}' and mark.alert_id = alert.id) as read
      from alert left join alert_reader reader
        on reader.organization_id = alert.organization_id and reader.account_id = '${accountId}'
      left join membership member
        on member.organization_id = alert.organization_id and member.account_id = '${accountId}'
      ${owner ? '' : 'where not alert.for_owners'}) r`,
    columns: {
      title: { sql: 'r.title', type: 'text', required: true },
      kind: { sql: 'r.kind', type: 'text', required: true },
      severity: { sql: 'r.severity', type: 'text', required: true },
      read: {
        sql: 'r.read',
        type: 'boolean',
        required: true,
        conditions: { true: 'r.read', false: 'not r.read' },
      },
      createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    },
    search: (pattern) => isAnyLike(['title', 'description'], pattern),
    newestBy: 'r.created_at',
    extra: {},
  };
}
