import type { Answers } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { Check, TextArea, TextField } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'
import style from './moderation.module.css'
import { rulesQuery } from './queries.ts'

type Config = Answers['moderation']['config']

const SWITCHES = ['enabled', 'spam_detection', 'profanity_filter', 'link_moderation'] as const
const THRESHOLDS = ['auto_hide_threshold', 'auto_ban_threshold'] as const
const LISTS = ['blocked_words', 'blocked_domains'] as const
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const Rules = ({ config }: { readonly config: Config }) => {
  const { t } = useTranslation('admin')
  const apiForm = useApiForm()
  const [form, setForm] = useState(config)
  const [texts, setTexts] = useState({ blocked_words: config.blocked_words.join('\n'), blocked_domains: config.blocked_domains.join('\n') })
  const save = () =>
    apiForm.run(async () => {
      const sent = { ...form, blocked_words: lines(texts.blocked_words), blocked_domains: lines(texts.blocked_domains) }
      const { config: saved } = await client.moderation.saveConfig(sent)
      queryClient.setQueryData(rulesQuery.queryKey, saved)
      setForm(saved)
      setTexts({ blocked_words: saved.blocked_words.join('\n'), blocked_domains: saved.blocked_domains.join('\n') })
    }, t('saved'))
  return (
    <SaveForm form={apiForm} onSave={save}>
      <FormSection title={t('rules.auto')}>
        {SWITCHES.map((key) => (
          <Check
            key={key}
            label={t(`rules.${key}`)}
            hint={t(`rules.${key}Hint`)}
            disabled={key !== 'enabled' && !form.auto_moderation.enabled}
            checked={form.auto_moderation[key]}
            onChange={(event) => setForm({ ...form, auto_moderation: { ...form.auto_moderation, [key]: event.currentTarget.checked } })}
          />
        ))}
      </FormSection>
      <FormSection title={t('rules.lists')} hint={t('rules.listsHint')}>
        <div className={style.pair}>
          {LISTS.map((key) => (
            <TextArea
              key={key}
              label={t(`rules.${key}`)}
              hint={t('rules.count', { count: lines(texts[key]).length })}
              rows={8}
              spellCheck={false}
              value={texts[key]}
              onChange={(event) => setTexts({ ...texts, [key]: event.currentTarget.value })}
            />
          ))}
        </div>
      </FormSection>
      <FormSection title={t('rules.thresholds')} hint={t('rules.thresholdsHint')}>
        <div className={style.pair}>
          {THRESHOLDS.map((key) => (
            <TextField
              key={key}
              label={t(`rules.${key}`)}
              type="number"
              min={0}
              max={1_000_000}
              required
              value={form.report_thresholds[key]}
              onChange={(event) =>
                setForm({ ...form, report_thresholds: { ...form.report_thresholds, [key]: event.currentTarget.valueAsNumber || 0 } })
              }
            />
          ))}
        </div>
      </FormSection>
      <FormSection title={t('rules.notifications')}>
        <Check
          label={t('rules.email_on_report')}
          checked={form.moderator_notifications.email_on_report}
          onChange={(event) =>
            setForm({ ...form, moderator_notifications: { ...form.moderator_notifications, email_on_report: event.currentTarget.checked } })
          }
        />
        <TextField
          label={t('rules.chat_webhook')}
          hint={t('rules.chat_webhookHint')}
          type="url"
          value={form.moderator_notifications.chat_webhook}
          onChange={(event) =>
            setForm({ ...form, moderator_notifications: { ...form.moderator_notifications, chat_webhook: event.currentTarget.value } })
          }
        />
      </FormSection>
    </SaveForm>
  )
}

export const RulesPage = () => {
  const { t } = useTranslation('admin')
  const rules = useQuery(rulesQuery)
  return (
    <>
      <PageHeader title={t('area.rules')} about={t('rules.about')} />
      <QueryState query={rules} lines={8} />
      {rules.data && <Rules config={rules.data} />}
    </>
  )
}
