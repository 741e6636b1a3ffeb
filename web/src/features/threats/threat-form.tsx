import { threats, type ThreatDetail } from '@riskboard/contract';
import { derivedRiskLevel } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCreateThreat, useUpdateThreat } from '../../lib/record-mutations.ts';
import { threatQuery } from '../../lib/record-queries.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { useSelected } from '../../lib/browser/store.ts';
import { FormPage } from '../../ui/form/form-page.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { useRecordForm } from '../../ui/form/use-record-form.ts';
import { threatForm, type ThreatValues } from './threat-form-spec.ts';

const { items } = threatForm;

const levelOf = (value: string): number | null => (value === '' ? null : Number(value));

/** What a blank risk level becomes (contract, Scales). */
const derivedOf = ({ likelihood, impact }: ThreatValues): number | null =>
  derivedRiskLevel(levelOf(likelihood), levelOf(impact));

/** Creates or edits a threat (spec 2, Asset form and threat form; limits of spec 5). */
export function ThreatForm({ record }: { record?: ThreatDetail }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useCreateThreat();
  const update = useUpdateThreat();
  const endpoint = record === undefined ? threats.create : threats.update;
  const toDetail = (id: string) => navigate({ to: '/dashboard/threats/$id', params: { id } });
  const { form, control } = useRecordForm(threatForm, {
    record,
    save: (body, { fields, version }) =>
      record === undefined
        ? create.mutateAsync(body)
        : update.mutateAsync({ id: record._id, change: fields, version }),
    latest: () => queryClient.fetchQuery({ ...threatQuery(record?._id ?? ''), staleTime: 0 }),
    onSaved: ({ _id }) => toDetail(_id),
    locked: useRefusal(endpoint.access),
  });
  const derived = useSelected(form.store, ({ values }) => derivedOf(values));

  return (
    <FormPage
      title={record === undefined ? 'Create New Threat' : 'Edit Threat'}
      backLabel={record === undefined ? 'Back to Threats' : 'Back to Threat Details'}
      submitLabel={record === undefined ? 'Create' : 'Update'}
      control={control}
      store={form.store}
      onLeave={() =>
        void (record === undefined ? navigate({ to: '/dashboard/threats' }) : toDetail(record._id))
      }
    >
      <FormSection title="Core details">
        <div className="col-span-full">
          <form.AppField name="name">{(field) => <field.TextField />}</form.AppField>
        </div>
        <form.AppField name="description">{(field) => <field.LongTextField rows={4} />}</form.AppField>
        <form.AppField name="threatID">
          {(field) => <field.TextField code placeholder="T1566 or CAPEC-98" />}
        </form.AppField>
        <form.AppField name="threatTypeId">
          {(field) => <field.SelectField items={items?.threatTypeId ?? []} blank="Not set" />}
        </form.AppField>
        <form.AppField name="threatCategory">{(field) => <field.TextField />}</form.AppField>
        <form.AppField name="source">
          {(field) => <field.TextField hint="Who says so, such as a team or a feed" />}
        </form.AppField>
        <form.AppField name="isActive">{(field) => <field.CheckboxField />}</form.AppField>
      </FormSection>
      <FormSection
        title="Actor"
        description="What drives whoever is behind it, and what they are able to do."
      >
        <form.AppField name="motivation">
          {(field) => <field.ScaleField items={items?.motivation ?? []} />}
        </form.AppField>
        <form.AppField name="capability">
          {(field) => <field.ScaleField items={items?.capability ?? []} />}
        </form.AppField>
        <form.AppField name="motivationDescription">{(field) => <field.LongTextField />}</form.AppField>
        <form.AppField name="capabilityDescription">{(field) => <field.LongTextField />}</form.AppField>
      </FormSection>
      <FormSection
        title="Risk"
        description="Left blank, the risk level is 4 × likelihood × impact and follows them."
      >
        <form.AppField name="likelihood">
          {(field) => <field.SelectField items={items?.likelihood ?? []} blank="Not set" />}
        </form.AppField>
        <form.AppField name="impact">
          {(field) => <field.SelectField items={items?.impact ?? []} blank="Not set" />}
        </form.AppField>
        <form.AppField name="likelihoodDescription">{(field) => <field.LongTextField />}</form.AppField>
        <form.AppField name="impactDescription">{(field) => <field.LongTextField />}</form.AppField>
        <form.AppField name="riskLevel">
          {(field) => (
            <field.NumberField
              min={0}
              max={100}
              placeholder={derived === null ? 'Not assessed' : `${derived} (derived)`}
              hint={
                field.value.trim() !== ''
                  ? '0 to 100. Clear it to have it derived.'
                  : derived === null
                    ? '0 to 100. Blank: derived once likelihood and impact are set.'
                    : `0 to 100. Blank: ${derived}, derived from likelihood and impact.`
              }
            />
          )}
        </form.AppField>
      </FormSection>
      <FormSection title="Response and relations">
        <form.AppField name="mitigationStrategy">{(field) => <field.LongTextField />}</form.AppField>
        <form.AppField name="relatedAssets">{(field) => <field.AssetsField />}</form.AppField>
        <form.AppField name="reference">{(field) => <field.LongTextField rows={2} />}</form.AppField>
      </FormSection>
    </FormPage>
  );
}
