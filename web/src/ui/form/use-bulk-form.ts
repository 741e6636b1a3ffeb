import { useAppForm } from './use-app-form.ts';

/** The form of a bulk edit; it begins anew each time. */
export const useBulkForm = <Values extends object>(blank: Values) => useAppForm({ defaultValues: blank });
export type BulkForm<Values extends object> = ReturnType<typeof useBulkForm<Values>>;
