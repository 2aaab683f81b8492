import type { Inputs } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { upload } from '../../lib/upload.ts'
import { EntryList, type Keyed, keyed, unkeyed } from '../../ui/entry-list.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { Check, TextArea, TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { PictureField } from '../../ui/picture-field.tsx'
import { lockScreenQuery, type SpaceDetail } from './queries.ts'
import { SettingsSection } from './settings-section.tsx'

type Section = NonNullable<Inputs['spaces']['saveLockscreens']['lockscreen']>[number]

const MOST = 20
const BLANK: Section = { type: 'block', name: 'description' }
const sendPicture = async (file: File, onProgress: (share: number) => void) => (await upload(file, 'space', onProgress)).file_url

/** Settings of the lock screen that non-members of a private space see. */
export const LockScreenSettings = ({ space }: { readonly space: SpaceDetail }) => {
  const { data } = useQuery(lockScreenQuery(space.slug))
  return data ? <Sections space={space} stored={data.lockscreen} enabled={data.enabled} /> : <Skeleton lines={4} />
}

interface Props {
  readonly space: SpaceDetail
  readonly stored: readonly Section[]
  readonly enabled: boolean
}

const Sections = ({ space, stored, enabled }: Props) => {
  const { t } = useTranslation('spaces')
  const [on, setOn] = useState(enabled)
  const [sections, setSections] = useState<readonly Keyed<Section>[]>(() => keyed(stored))
  const save = async () => {
    await client.spaces.saveLockscreens({ space_slug: space.slug, enabled: on, lockscreen: unkeyed(sections) })
    await client.spaces.updateById({ space_id: space.id, settings: { custom_lock_screen: on ? 'yes' : 'no' } })
  }
  return (
    <SettingsSection title={t('lockScreen.title')} text={t('lockScreen.text')} action={t('lockScreen.save')} save={save}>
      <Check label={t('lockScreen.enable')} checked={on} onChange={(event) => setOn(event.currentTarget.checked)} />
      <EntryList
        entries={sections}
        blank={BLANK}
        most={MOST}
        add={t('lockScreen.add')}
        nameOf={({ heading }) => heading || t('lockScreen.new')}
        onChange={setSections}
      >
        {({ heading = '', description = '', background_image = '', button_text = '', button_link = '' }, change) => (
          <>
            <TextField
              label={t('lockScreen.heading')}
              value={heading}
              onChange={(event) => change({ heading: event.currentTarget.value })}
              maxLength={500}
            />
            <TextArea
              label={t('lockScreen.body')}
              value={description}
              onChange={(event) => change({ description: event.currentTarget.value })}
              maxLength={5000}
            />
            <PictureField
              label={t('form.logo')}
              value={background_image}
              onChange={(address) => change({ background_image: address })}
              send={sendPicture}
              wide
            />
            <div className={sheet.pair}>
              <TextField
                label={t('lockScreen.button')}
                value={button_text}
                onChange={(event) => change({ button_text: event.currentTarget.value })}
                maxLength={200}
              />
              <TextField
                label={t('lockScreen.buttonUrl')}
                type="url"
                placeholder="https://"
                value={button_link}
                onChange={(event) => change({ button_link: event.currentTarget.value })}
                maxLength={2048}
              />
            </div>
          </>
        )}
      </EntryList>
    </SettingsSection>
  )
}
