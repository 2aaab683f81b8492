import type { Answers } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { communityQuery } from '../../../lib/community.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Check, SelectField, TextField } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'

type Features = Answers['settings']['features']['features']

const SWITCHES = [
  'followers',
  'quizzes',
  'moderation',
  'managers',
  'leaderboard',
  'analytics',
  'topics',
  'webhooks',
  'scheduled_posts',
  'gif',
] as const
const RATINGS = ['g', 'pg', 'pg-13', 'r'] as const
const QUERY = { queryKey: keys.admin.features, queryFn: async () => (await client.settings.features()).features }

const Form = ({ stored }: { readonly stored: Features }) => {
  const { t } = useTranslation('admin')
  const apiForm = useApiForm()
  const [form, setForm] = useState(stored)
  const [key, setKey] = useState('')
  const save = () =>
    apiForm.run(async () => {
      const switches = Object.fromEntries(SWITCHES.map((name) => [name, form[name]]))
      const sent = { ...switches, gif_rating: form.gif_rating, gif_language: form.gif_language, ...(key && { gif_api_key: key }) }
      const { features } = await client.settings.saveFeatures(sent)
      queryClient.setQueryData(QUERY.queryKey, features)
      setForm(features)
      setKey('')
      await queryClient.invalidateQueries({ queryKey: communityQuery.queryKey })
    }, t('saved'))
  return (
    <SaveForm form={apiForm} onSave={save}>
      <FormSection title={t('features.title')} hint={t('features.hint')}>
        {SWITCHES.map((name) => (
          <Check
            key={name}
            label={t(`feature.${name}`)}
            hint={t(`featureHint.${name}`)}
            checked={form[name]}
            onChange={(event) => setForm({ ...form, [name]: event.currentTarget.checked })}
          />
        ))}
      </FormSection>
      {form.gif && (
        <FormSection title={t('features.gif')}>
          <TextField
            label={t('features.gifKey')}
            hint={t(form.gif_api_key_set ? 'features.gifKeySet' : 'features.gifKeyNone')}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <SelectField
            label={t('features.gifRating')}
            value={form.gif_rating}
            onChange={(event) => setForm({ ...form, gif_rating: event.currentTarget.value as Features['gif_rating'] })}
          >
            {RATINGS.map((value) => (
              <option key={value} value={value}>
                {value.toUpperCase()}
              </option>
            ))}
          </SelectField>
        </FormSection>
      )}
    </SaveForm>
  )
}

export const FeaturesPage = () => {
  const { t } = useTranslation('admin')
  const features = useQuery(QUERY)
  return (
    <>
      <PageHeader title={t('area.features')} about={t('areaDescription.features')} />
      <QueryState query={features} lines={8} />
      {features.data && <Form stored={features.data} />}
    </>
  )
}
