import type pg from 'pg';
import { databaseRoles } from '../connection/roles.ts';

/**
 * Everything that the product's roles may do in the schema, as one statement each, sorted: owners of functions,
 * row-level security, policies, and privileges of tables, columns and functions. `access.sql` has those of the newest
 * version.
 */
export async function readAccess(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(query, [Object.values(databaseRoles)]);
  return rows.map((row) => row.statement);
}

/** Objects of extensions are not the product's. */
const query = `
  with product as (
    select oid, rolname from pg_roles where rolname = any ($1::text[])
  ), relation as (
    select c.oid, c.relname, c.relkind, c.relacl, c.relrowsecurity, c.relforcerowsecurity from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'v')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), routine as (
    select p.oid, p.oid::regprocedure::text as name, p.proacl, p.proowner,
      case p.prokind when 'p' then 'procedure' else 'function' end as kind
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
  select statement collate "C" as statement from (
    select format('grant %s on schema public to %I', lower(a.privilege_type), product.rolname) as statement
      from pg_namespace n, aclexplode(n.nspacl) a join product on product.oid = a.grantee
      where n.nspname = 'public'
    union select format('alter table %I enable row level security', relname) from relation where relrowsecurity
    union select format('alter table %I force row level security', relname) from relation where relforcerowsecurity
    union select format('create policy %I on %I as %s for %s to %s%s%s', p.polname, r.relname,
        case when p.polpermissive then 'permissive' else 'restrictive' end,
        case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        (select string_agg(case o.oid when 0 then 'public' else quote_ident(pg_get_userbyid(o.oid)) end, ', ' order by o.oid)
          from unnest(p.polroles) o (oid)),
        ' using (' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\s+', ' ', 'g') || ')',
        ' with check (' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\\s+', ' ', 'g') || ')')
      from pg_policy p join relation r on r.oid = p.polrelid
    union select format('grant %s on %s%I to %I', lower(a.privilege_type),
        case r.relkind when 'S' then 'sequence ' else '' end, r.relname, product.rolname)
      from relation r, aclexplode(r.relacl) a join product on product.oid = a.grantee
    union select format('grant %s (%I) on %I to %I', lower(a.privilege_type), c.attname, r.relname, product.rolname)
      from relation r join pg_attribute c on c.attrelid = r.oid and not c.attisdropped, aclexplode(c.attacl) a
      join product on product.oid = a.grantee
    union select format('alter %s %s owner to %I', kind, routine.name, product.rolname)
      from routine join product on product.oid = routine.proowner
    union select format('revoke execute on %s %s from public', kind, routine.name) from routine
      where not has_function_privilege('public', routine.oid, 'execute')
    union select format('grant execute on %s %s to %I', kind, routine.name, product.rolname)
      from routine, aclexplode(routine.proacl) a join product on product.oid = a.grantee
      where product.oid <> routine.proowner
  ) access
  order by 1`;
