import { starterVignette } from './starter-vignette.ts';

export const scada = starterVignette({
  name: 'SCADA',
  description:
    'Supervision and control of an industrial process such as water, energy or chemistry: controllers, operator consoles and a field network.',
  domain: 'Industrial control',
  archetypes: ['Programmable logic controller', 'Operator console', 'Field network', 'Historian database'],
  businessValueContext:
    'Safety of people and the environment comes first, then a process that runs and stops as intended. Process data are hardly confidential. Systems run for decades and are rarely updated.',
  ratings: {
    'Modify data': [
      [10, 'Changed logic of a controller can hurt people and damage the plant.'],
      [10, 'Wrong set points or readings bring the process into a dangerous state.'],
      [9, 'Changed commands on the field network act at once.'],
      [6, 'Wrong production plans; operators notice before harm is done.'],
    ],
    'Read data': [
      [3, 'Logic and configuration help to prepare an attack.'],
      [3, 'Process values are hardly confidential.'],
      [4, 'Passwords in clear text are common in field protocols.'],
      [4, 'Recipes and plans are of interest to competitors.'],
    ],
    'DoS: unreliable execution': [
      [9, 'A controller that fails leaves the process without control.'],
      [8, 'Operators see wrong or no values.'],
      [8, 'Commands do not arrive.'],
      [4, 'Office systems fail; the process runs on.'],
    ],
    'DoS: resource consumption': [
      [8, 'A controller that misses its cycle time stops the process.'],
      [7, 'Alarms appear too late.'],
      [8, 'A flooded field network delays commands and alarms.'],
      [4, 'Reports are late; the process runs on.'],
    ],
    'Execute unauthorized code or commands': [
      [10, 'The attacker controls the process and its protection.'],
      [10, 'Commands of an attacker look like those of an operator.'],
      null,
      [8, 'The office network is the usual way into the plant.'],
    ],
    'Gain privileges / assume identity': [
      [9, 'An engineer account can load new logic into controllers.'],
      [9, 'Commands in the name of an operator.'],
      [8, 'A false device on the field network is trusted.'],
      [7, 'Accounts of the company also open remote maintenance.'],
    ],
    'Bypass protection mechanism': [
      [9, 'Interlocks that prevent accidents no longer act.'],
      [9, 'Alarms and limits no longer protect.'],
      [8, 'The separation of plant and office network is lost.'],
      [6, 'Remote maintenance is open to others.'],
    ],
    'Hide activities': [
      [8, 'Changed logic is not noticed until something breaks.'],
      [8, 'Operators see a process that is not the real one.'],
      [5, 'Traffic of the attacker is not noticed.'],
      [5, 'The cause of an accident cannot be found.'],
    ],
  },
});
