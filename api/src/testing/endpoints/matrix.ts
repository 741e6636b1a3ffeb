interface Row {
  name: string;
  access: string;
  cells: string[];
}

/** Short texts for the cells. */
const cellTexts: Record<string, string> = {
  in: 'in',
  not_signed_in: '401',
  session_expired: '401',
  role_too_low: 'role',
  session_needed: 'session',
  foreign_origin: 'origin',
  second_factor_required: 'factor',
  conflict: 'closed',
};

const legend =
  'in: reaches the handler · 401: not signed in · role, session, origin, factor: 403 because it is missing · closed: 409, the organization is being deleted';

/** The access matrix as text: one line per endpoint, one column per numbered caller. */
export function matrix(callers: string[], rows: Row[]): string {
  const wide = Math.max(...rows.map(({ name }) => name.length));
  const least = Math.max(...rows.map(({ access }) => access.length));
  const column = Math.max(...Object.values(cellTexts).map((text) => text.length)) + 1;
  const line = (name: string, access: string, cells: string[]): string =>
    `${name.padEnd(wide)}  ${access.padEnd(least)}  ${cells.map((text) => text.padEnd(column)).join('')}`.trimEnd();
  const shown = rows.map(({ name, access, cells }) =>
    line(
      name,
      access,
      cells.map((decision) => cellTexts[decision] ?? decision),
    ),
  );
  return [
    `Access, decision by decision: ${rows.length} endpoints x ${callers.length} callers = ${rows.length * callers.length}`,
    ...callers.map((name, n) => `  ${n + 1}  ${name}`),
    legend,
    line(
      'endpoint',
      'least',
      callers.map((_name, n) => String(n + 1)),
    ),
    ...shown,
  ].join('\n');
}
