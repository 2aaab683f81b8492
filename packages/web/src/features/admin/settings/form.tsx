import type { Answers } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { communityQuery } from '../../../lib/community.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { UnsavedChangesGuard } from '../../../ui/unsaved-changes.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'
import { ColorField } from './color-field.tsx'

export type Group = keyof Answers['settings']['list']['data']
export type Values = Readonly<Record<string, unknown>>

export interface Setting {
  readonly key: string
  readonly kind: 'text' | 'email' | 'url' | 'area' | 'switch' | 'color' | 'choice'
  readonly options?: readonly string[]
  readonly hint?: boolean
}
export interface SettingSheet {
  readonly title: string
  readonly fields: readonly Setting[]
}

const settingsQuery = {
  queryKey: keys.admin.settings,
  queryFn: async () => Object.assign({}, ...Object.values((await client.settings.list()).data)) as Values,
}

interface FieldProps {
  readonly field: Setting
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: string | boolean) => void
}

const Field = ({ field: { key, kind, options, hint }, value, error, onChange }: FieldProps) => {
  const { t } = useTranslation('admin')
  const label = t(`setting.${key}`)
  const about = { label, error, ...(hint && { hint: t(`settingHint.${key}`) }) }
  if (kind === 'switch')
    return (
      <Check
        label={label}
        {...(hint && { hint: about.hint ?? '' })}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  const text = { ...about, value: String(value ?? '') }
  if (kind === 'area') return <TextArea {...text} onChange={(event) => onChange(event.currentTarget.value)} />
  if (kind === 'choice')
    return (
      <SelectField {...text} onChange={(event) => onChange(event.currentTarget.value)}>
        {options?.map((option) => (
          <option key={option} value={option}>
            {t(`option.${option}`)}
          </option>
        ))}
      </SelectField>
    )
  if (kind === 'color') return <ColorField {...text} onChange={onChange} />
  return <TextField {...text} type={kind} onChange={(event) => onChange(event.currentTarget.value)} />
}

interface FormProps {
  readonly sheets: readonly SettingSheet[]
  readonly stored: Values
  readonly children?: ((values: Values) => ReactNode) | undefined
}

const Form = ({ sheets, stored, children }: FormProps) => {
  const { t } = useTranslation('admin')
  const [values, setValues] = useState(stored)
  const fields = sheets.flatMap((sheet) => sheet.fields.map(({ key }) => key))
  const form = useApiForm({ fields })
  const changed = fields.filter((key) => values[key] !== stored[key])
  const save = () =>
    form.run(async () => {
      if (changed.length > 0) await client.settings.save(Object.fromEntries(changed.map((key) => [key, values[key]])))
      setValues(await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 }))
      await queryClient.invalidateQueries({ queryKey: communityQuery.queryKey })
    }, t('saved'))
  return (
    <SaveForm form={form} onSave={save}>
      <UnsavedChangesGuard when={changed.length > 0} />
      {sheets.map((sheet) => (
        <FormSection key={sheet.title} title={t(`section.${sheet.title}`)}>
          {sheet.fields.map((field) => (
            <Field
              key={field.key}
              field={field}
              value={values[field.key]}
              error={form.errorOf(field.key)}
              onChange={(value) => setValues({ ...values, [field.key]: value })}
            />
          ))}
        </FormSection>
      ))}
      {children?.(values)}
    </SaveForm>
  )
}

interface Props {
  readonly area: string
  readonly sheets: readonly SettingSheet[]
  readonly children?: (values: Values) => ReactNode
}

/** A settings page. Only changed values are sent. */
export const SettingsArea = ({ area, sheets, children }: Props) => {
  const { t } = useTranslation('admin')
  const settings = useQuery(settingsQuery)
  return (
    <>
      <PageHeader title={t(`area.${area}`)} about={t(`areaDescription.${area}`)} />
      <QueryState query={settings} lines={8} />
      {settings.data && (
        <Form sheets={sheets} stored={settings.data}>
          {children}
        </Form>
      )}
    </>
  )
}
