import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { locale } from '../../lib/i18n.ts'
import { Check } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { allTopicsQuery, type SpaceDetail } from './queries.ts'
import { SettingsSection } from './settings-section.tsx'

/** Topics that posts of a space can use in addition to the global ones. */
export const TopicSettings = ({ space }: { readonly space: SpaceDetail }) => {
  const { t } = useTranslation('spaces')
  const { data: topics = [] } = useQuery(allTopicsQuery)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(space.topics.map(({ id }) => id)))
  if (topics.length === 0) return null
  const own = topics.filter(({ space_ids }) => space_ids.length > 0)
  const general = topics.filter(({ space_ids }) => space_ids.length === 0)
  const names = new Intl.ListFormat(locale()).format(general.map(({ title }) => title))
  const save = () => client.spaces.updateById({ space_id: space.id, topic_ids: [...chosen] })
  const toggle = (id: number, on: boolean) => setChosen(new Set([...chosen].filter((other) => other !== id).concat(on ? [id] : [])))
  return (
    <SettingsSection title={t('topics')} text={t('topicSettings.text')} action={t('topicSettings.save')} save={save}>
      {general.length > 0 && <p>{t('topicSettings.global', { names })}</p>}
      {own.length > 0 && (
        <fieldset className={sheet.choices}>
          <legend>{t('topicSettings.own')}</legend>
          {own.map(({ id, title }) => (
            <Check key={id} label={title} checked={chosen.has(id)} onChange={(event) => toggle(id, event.currentTarget.checked)} />
          ))}
        </fieldset>
      )}
    </SettingsSection>
  )
}
