import { Empty } from '../../ui/text/empty.tsx';
import { OutsideLink } from '../../ui/record/reference.tsx';

/** Catalogues by the form of their ids: where the entry stands. */
const catalogues: readonly (readonly [form: RegExp, address: (id: string) => string])[] = [
  [/^CAPEC-(\d{1,5})$/u, (id) => `https://capec.mitre.org/data/definitions/${id.slice(6)}.html`],
  [/^T\d{4}(\.\d{3})?$/u, (id) => `https://attack.mitre.org/techniques/${id.replace('.', '/')}/`],
  [/^G\d{4}$/u, (id) => `https://attack.mitre.org/groups/${id}/`],
  [/^S\d{4}$/u, (id) => `https://attack.mitre.org/software/${id}/`],
  [/^C\d{4}$/u, (id) => `https://attack.mitre.org/campaigns/${id}/`],
];

/** A CAPEC or ATT&CK id with the way to its entry; any other id as a text. */
export function ThreatIdLink({ id }: { id: string }) {
  if (id === '') return <Empty />;
  const address = catalogues.find(([form]) => form.test(id))?.[1];
  return address === undefined ? <span>{id}</span> : <OutsideLink href={address(id)}>{id}</OutsideLink>;
}
