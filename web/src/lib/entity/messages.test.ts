import { expect, test } from 'vitest';
import { messagesOf } from './messages.ts';

test('the message about deleted records names one in the singular', () => {
  const { deletedMany } = messagesOf({ one: 'threat', many: 'threats' });
  expect(deletedMany(1)).toEqual(['Threats deleted', '1 threat was successfully deleted.']);
  expect(deletedMany(1234)).toEqual(['Threats deleted', '1,234 threats were successfully deleted.']);
});
