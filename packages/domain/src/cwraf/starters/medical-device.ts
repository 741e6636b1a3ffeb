import { starterVignette } from './starter-vignette.ts';

export const medicalDevice = starterVignette({
  name: 'Medical device',
  description:
    'A networked device that treats or monitors patients, such as an infusion pump or an implant with its programmer.',
  domain: 'Health care',
  archetypes: ['Embedded device', 'Radio link', 'Service computer', 'Hospital network'],
  businessValueContext:
    'Harm to a patient is the worst outcome, so correct treatment and availability come before everything else; health data come next. Regulators require reports of incidents that could harm patients.',
  ratings: {
    'Modify data': [
      [10, 'A changed dose or firmware harms the patient.'],
      [10, 'Wrong therapy settings or readings lead to wrong treatment.'],
      [8, 'Commands that are changed on the radio link reach the patient.'],
      [6, 'Wrong records in the hospital; staff may notice.'],
    ],
    'Read data': [
      [5, 'One device has data of one patient, and keys that others may share.'],
      [7, 'Health data of patients must stay confidential.'],
      [6, 'Radio traffic shows that a person has a device.'],
      [7, 'Records of many patients can be read.'],
    ],
    'DoS: unreliable execution': [
      [10, 'Treatment stops or continues without control.'],
      [8, 'Staff cannot change or see the treatment.'],
      [6, 'The device works alone; staff are not alerted.'],
      [5, 'Staff return to paper.'],
    ],
    'DoS: resource consumption': [
      [8, 'An empty battery ends the treatment; an implant needs surgery.'],
      [7, 'Alarms appear late.'],
      [6, 'Central monitoring does not receive alarms.'],
      [5, 'Records are available late.'],
    ],
    'Execute unauthorized code or commands': [
      [10, 'The attacker controls the treatment.'],
      [10, 'The programmer sends what the attacker wants to every device it meets.'],
      null,
      [8, 'Many devices of the hospital can be reached.'],
    ],
    'Gain privileges / assume identity': [
      [9, 'Service functions change doses without a check.'],
      [9, 'Commands in the name of a physician.'],
      [7, 'A false programmer is trusted by the device.'],
      [7, 'A false employee has access to many patients.'],
    ],
    'Bypass protection mechanism': [
      [9, 'Dose limits no longer protect the patient.'],
      [9, 'Settings change without confirmation.'],
      [7, 'The device accepts commands from any radio.'],
      [6, 'Devices can be reached from other parts of the hospital.'],
    ],
    'Hide activities': [
      [7, 'A changed treatment is not noticed.'],
      [7, 'The record does not show which dose was given.'],
      null,
      [5, 'The number of affected patients cannot be reported.'],
    ],
  },
});
