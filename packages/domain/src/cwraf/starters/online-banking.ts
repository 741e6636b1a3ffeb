import { starterVignette } from './starter-vignette.ts';

export const onlineBanking = starterVignette({
  name: 'Online banking',
  description:
    'Accounts, transfers and signatures of bank customers in the browser and in a mobile app, connected to the core banking system.',
  domain: 'Banking and finance',
  archetypes: ['Web application', 'Mobile application', 'Application interface', 'Database'],
  businessValueContext:
    'No transfer may happen against the will of the customer, and every transfer must be provable. Account data are under banking secrecy. Supervisors expect availability and want serious incidents reported within hours.',
  ratings: {
    'Modify data': [
      [9, 'Changed programs or configuration can redirect transfers.'],
      [10, 'A changed transfer or balance is lost money.'],
      [7, 'Changed messages between bank systems can become transfers.'],
      [9, 'The core banking system would book what is wrong.'],
    ],
    'Read data': [
      [8, 'Keys and sessions in memory allow access in the name of customers.'],
      [9, 'Banking secrecy: balances and transfers of customers are read.'],
      [7, 'Unencrypted internal traffic shows account data.'],
      [8, 'Data of all customers of the bank can be read.'],
    ],
    'DoS: unreliable execution': [
      [6, 'Servers restart, but open transfers are interrupted.'],
      [7, 'Transfers that are half done must be corrected manually.'],
      null,
      [8, 'A failing core system stops payments of the whole bank.'],
    ],
    'DoS: resource consumption': [
      [6, 'Customers wait; more capacity is available.'],
      [7, 'Customers cannot pay; a long outage is reported to the supervisor.'],
      [7, 'Neither browser nor app reaches the bank.'],
      [7, 'Cards and branches are affected too.'],
    ],
    'Execute unauthorized code or commands': [
      [10, 'The attacker controls a server that creates transfers.'],
      [10, 'Code in the page or app can change transfers before they are signed.'],
      null,
      [10, 'From shared infrastructure the core banking system can be reached.'],
    ],
    'Gain privileges / assume identity': [
      [9, 'An administrator of the server can reach keys and accounts.'],
      [10, 'Transfers in the name of a customer, or approvals by a false employee.'],
      null,
      [9, 'A false administrator can enter the core banking system.'],
    ],
    'Bypass protection mechanism': [
      [7, 'Weakens a server; another weakness is needed for a transfer.'],
      [9, 'Without the second factor or the limit, a stolen password is enough.'],
      [7, 'Internal services can be reached from outside.'],
      [8, 'Separation of duties no longer protects.'],
    ],
    'Hide activities': [
      [7, 'An intrusion is found after the money has left.'],
      [8, 'A disputed transfer cannot be proven.'],
      null,
      [8, 'Money laundering checks and audits have gaps.'],
    ],
  },
});
