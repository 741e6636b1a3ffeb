/** A person's name and address as the activity log stores them, readable after the account is deleted. */
export const actorOf = (person: { firstName: string; lastName: string; email: string }): string =>
  `${`${person.firstName} ${person.lastName}`.trim()} <${person.email}>`;
