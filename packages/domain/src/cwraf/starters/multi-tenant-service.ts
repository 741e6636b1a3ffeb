import { starterVignette } from './starter-vignette.ts';

export const multiTenantService = starterVignette({
  name: 'SaaS, multi-tenant',
  description:
    'One service on the internet that many customers use and that keeps the data of each of them apart from all others.',
  domain: 'Software as a service',
  archetypes: ['Web application', 'Application interface', 'Database', 'Container platform'],
  businessValueContext:
    'A customer must never see or change the data of another one: this is the promise that the business rests on. Availability is part of the contract, with penalties. Customers audit the provider.',
  ratings: {
    'Modify data': [
      [8, 'Changed images or files act on every tenant of the server.'],
      [9, 'Data of several tenants are changed at once.'],
      null,
      [9, 'Shared storage holds the data and backups of all tenants.'],
    ],
    'Read data': [
      [9, 'Memory of a shared process holds data and keys of many tenants.'],
      [10, 'One tenant reads the data of another.'],
      [6, 'Internal traffic shows data of tenants.'],
      [9, 'Backups and logs of all tenants can be read.'],
    ],
    'DoS: unreliable execution': [
      [5, 'The platform starts another instance.'],
      [6, 'Requests of all tenants fail until the cause is found.'],
      null,
      [7, 'A failing shared service stops all tenants.'],
    ],
    'DoS: resource consumption': [
      [6, 'The platform adds servers, at a cost.'],
      [7, 'One tenant slows down all others; penalties are due.'],
      [6, 'The service cannot be reached.'],
      [7, 'All regions or products are affected.'],
    ],
    'Execute unauthorized code or commands': [
      [10, 'The attacker leaves the container and reaches every tenant.'],
      [9, 'Code in the service runs with the rights of all tenants.'],
      null,
      [10, 'Keys of the cloud account give access to everything.'],
    ],
    'Gain privileges / assume identity': [
      [9, 'An operator account reaches every tenant.'],
      [10, 'A user of one tenant acts in another one.'],
      null,
      [9, 'A false employee can enter every tenant by support functions.'],
    ],
    'Bypass protection mechanism': [
      [8, 'Isolation of containers no longer protects.'],
      [9, 'The check of the tenant is missing in one request.'],
      [7, 'Internal interfaces can be reached from outside.'],
      [8, 'Separation of production and development is lost.'],
    ],
    'Hide activities': [
      [6, 'An intrusion is found late.'],
      [7, 'The provider cannot inform each customer which data were read.'],
      null,
      [6, 'The provider fails the audits of its customers.'],
    ],
  },
});
