import { OutsideLink } from '../record/reference.tsx';
import { Empty } from './empty.tsx';

/** Catalogues by the form of their ids, with the address of an entry. */
const catalogues: readonly (readonly [form: RegExp, address: (id: string) => string])[] = [
  [/^CVE-\d{4}-\d{4,19}$/u, (id) => `https://nvd.nist.gov/vuln/detail/${id}`],
  [/^CAPEC-(\d{1,5})$/u, (id) => `https://capec.mitre.org/data/definitions/${id.slice(6)}.html`],
  [/^T\d{4}(\.\d{3})?$/u, (id) => `https://attack.mitre.org/techniques/${id.replace('.', '/')}/`],
  [/^G\d{4}$/u, (id) => `https://attack.mitre.org/groups/${id}/`],
  [/^S\d{4}$/u, (id) => `https://attack.mitre.org/software/${id}/`],
  [/^C\d{4}$/u, (id) => `https://attack.mitre.org/campaigns/${id}/`],
];

interface IdentifierProps {
  /** Such as 'CVE-2021-44228', 'T1566' or 'CAPEC-98'; empty shows N/A. */
  id: string;
  /** Leads to the entry of the catalogue; not in lists, where a click opens the row. */
  linked?: boolean;
}

/** An identifier of a public catalogue, on one line. */
export function Identifier({ id, linked = false }: IdentifierProps) {
  if (id === '') return <Empty />;
  const address = linked ? catalogues.find(([form]) => form.test(id))?.[1] : undefined;
  if (address !== undefined) return <OutsideLink href={address(id)}>{id}</OutsideLink>;
  return (
    <span className={linked ? 'break-words' : 'whitespace-nowrap'} title={linked ? undefined : id}>
      {id}
    </span>
  );
}
