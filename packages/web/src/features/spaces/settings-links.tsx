import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { EntryList, type Keyed, keyed, unkeyed } from '../../ui/entry-list.tsx'
import { Check, Choice, TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import type { SpaceDetail } from './queries.ts'
import { SettingsSection } from './settings-section.tsx'

type Link = Omit<SpaceDetail['settings']['links'][number], 'slug'>

const MOST = 50
const FOR = ['public', 'members_only'] as const
const NEW: Link = {
  title: '',
  permalink: '',
  enabled: 'yes',
  new_tab: 'yes',
  emoji: '',
  icon_image: '',
  shape_svg: '',
  privacy: 'public',
  membership_ids: [],
}

/** Links on the space's About page. */
export const LinkSettings = ({ space }: { readonly space: SpaceDetail }) => {
  const { t } = useTranslation('spaces')
  const [links, setLinks] = useState<readonly Keyed<Link>[]>(() => keyed(space.settings.links.map(({ slug: _, ...link }) => link)))
  const save = () => client.spaces.saveLinks({ space_slug: space.slug, links: unkeyed(links) })
  return (
    <SettingsSection title={t('about.links')} text={t('links.text')} action={t('links.save')} save={save}>
      <EntryList
        entries={links}
        blank={NEW}
        most={MOST}
        add={t('links.add')}
        nameOf={({ title }) => title || t('links.new')}
        onChange={setLinks}
      >
        {({ title, permalink, emoji, privacy, enabled, new_tab }, change) => (
          <>
            <div className={sheet.pair}>
              <TextField
                label={t('links.title')}
                value={title}
                onChange={(event) => change({ title: event.currentTarget.value })}
                maxLength={200}
                required
              />
              <TextField
                label={t('links.address')}
                type="url"
                placeholder="https://"
                value={permalink}
                onChange={(event) => change({ permalink: event.currentTarget.value })}
                maxLength={2048}
                required
              />
              <TextField
                label={t('form.emoji')}
                value={emoji}
                onChange={(event) => change({ emoji: event.currentTarget.value })}
                maxLength={50}
              />
              <Choice
                label={t('links.visibleTo')}
                value={privacy === 'members_only' ? privacy : 'public'}
                options={FOR}
                words={(one) => t(`links.audience.${one}`)}
                onChoose={(one) => change({ privacy: one })}
              />
            </div>
            <Check
              label={t('links.visible')}
              checked={enabled === 'yes'}
              onChange={(event) => change({ enabled: event.currentTarget.checked ? 'yes' : 'no' })}
            />
            <Check
              label={t('links.newTab')}
              checked={new_tab === 'yes'}
              onChange={(event) => change({ new_tab: event.currentTarget.checked ? 'yes' : 'no' })}
            />
          </>
        )}
      </EntryList>
    </SettingsSection>
  )
}
