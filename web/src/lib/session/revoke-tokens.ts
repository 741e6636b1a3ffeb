/** Label of the choice, on by default, to revoke the API tokens together with the sessions. */
export const revokeTokensLabel = 'Also revoke all my API tokens';
