/**
 * Header in which a page names the account and the organization that it shows, as `ownerOf` gives them. A call by the
 * session of another account or organization is refused with `session_changed`; without the header nothing is compared.
 */
export const signedInAsHeader = 'riskboard-signed-in-as';

/** The same as a query field of the address of the WebSocket, whose handshake has no headers of a page. */
export const signedInAsField = 'signedInAs';

/** Names an account in an organization; what a page keeps for one is not shown to another. */
export const ownerOf = ({ _id, organizationId }: { _id: string; organizationId: string }): string =>
  `${_id} ${organizationId}`;
