import { createFormHook } from '@tanstack/react-form';
import { AssetsField } from './assets-field.tsx';
import { CheckboxField } from './checkbox-field.tsx';
import { DateField } from './date-field.tsx';
import { fieldContext, formContext } from './form-context.ts';
import { LongTextField } from './long-text-field.tsx';
import { NumberField } from './number-field.tsx';
import { ScaleField } from './scale-field.tsx';
import { SelectField } from './select-field.tsx';
import { TagsField } from './tags-field.tsx';
import { TextField } from './text-field.tsx';

/** TanStack Form with the controls of this house: `<form.AppField name="name">{(field) => <field.TextField />}…`. */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: {
    AssetsField,
    CheckboxField,
    DateField,
    LongTextField,
    NumberField,
    ScaleField,
    SelectField,
    TagsField,
    TextField,
  },
  formComponents: {},
});
