import { starterVignette } from './starter-vignette.ts';

export const governmentPortal = starterVignette({
  name: 'Government portal',
  description:
    'Applications, notices and registers of citizens on the internet, with a state identity provider and a document archive.',
  domain: 'Government',
  archetypes: ['Web application', 'Document archive', 'Identity provider', 'Database'],
  businessValueContext:
    'Registers must be right and notices genuine, because they have legal effect. Citizens must hand in their data and cannot choose another provider, so a leak costs the trust of the public. Short outages are acceptable outside deadlines.',
  ratings: {
    'Modify data': [
      [8, 'Changed pages spread false information in the name of the state.'],
      [10, 'A wrong register or notice has legal effect.'],
      null,
      [9, 'Registers of other offices take over the wrong data.'],
    ],
    'Read data': [
      [7, 'Files and memory of the server hold applications and sessions.'],
      [9, 'Citizens must give these data and cannot protect them.'],
      [6, 'Traffic between offices shows personal data.'],
      [9, 'Registers of the whole population can be read.'],
    ],
    'DoS: unreliable execution': [
      [4, 'The portal restarts; citizens try again.'],
      [5, 'Applications are lost and must be sent again.'],
      null,
      [5, 'Other offices wait for data.'],
    ],
    'DoS: resource consumption': [
      [4, 'The portal is slow; offices also take paper.'],
      [6, 'Citizens miss legal deadlines.'],
      [6, 'The portal cannot be reached, also in a crisis.'],
      [5, 'Other portals of the state are slow too.'],
    ],
    'Execute unauthorized code or commands': [
      [9, 'The attacker controls the server and what it shows.'],
      [9, 'Genuine notices come from an attacker.'],
      null,
      [10, 'The network of the administration can be reached.'],
    ],
    'Gain privileges / assume identity': [
      [8, 'An administrator of the server can reach all applications.'],
      [9, 'Applications in the name of a citizen, or decisions by a false official.'],
      null,
      [9, 'The identity provider is trusted by every other portal.'],
    ],
    'Bypass protection mechanism': [
      [7, 'Weakens the server; another weakness is needed for damage.'],
      [8, 'Documents can be opened without proof of identity.'],
      [6, 'Internal registers can be reached from outside.'],
      [7, 'Separation of offices no longer protects.'],
    ],
    'Hide activities': [
      [6, 'An intrusion is found late, often by others.'],
      [7, 'A decision cannot be proven in court.'],
      null,
      [7, 'The public cannot learn who has read which data.'],
    ],
  },
});
