/** A person as the activity log calls them: it must read well when the account is gone. */
export const actorOf = (person: { firstName: string; lastName: string; email: string }): string =>
  `${`${person.firstName} ${person.lastName}`.trim()} <${person.email}>`;
