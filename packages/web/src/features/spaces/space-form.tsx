import type { Inputs } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../lib/api-form.ts'
import { upload } from '../../lib/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Check, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { PictureField } from '../../ui/picture-field.tsx'
import { type SpaceDetail, spaceGroupsQuery } from './queries.ts'
import style from './space-form.module.css'

export type SpaceInput = Inputs['spaces']['create']

const PRIVACIES = ['public', 'private', 'secret'] as const
const MEMBERS_PAGES = ['members_only', 'everybody', 'admin_only'] as const

const sendPicture = async (file: File, onProgress: (share: number) => void) => (await upload(file, 'space', onProgress)).file_url

interface Props {
  readonly space?: SpaceDetail
  readonly action: string
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (words: SpaceInput) => void
  readonly children?: ReactNode
}

/** The form to create or edit a space. */
export const SpaceForm = ({ space, action, busy, error, onSubmit, children }: Props) => {
  const { t } = useTranslation('spaces')
  const groups = useQuery(spaceGroupsQuery)
  const [title, setTitle] = useState(space?.title ?? '')
  const [slug, setSlug] = useState(space?.slug ?? '')
  const [description, setDescription] = useState(space?.description ?? '')
  const [privacy, setPrivacy] = useState<(typeof PRIVACIES)[number]>(space?.privacy ?? 'public')
  const [group, setGroup] = useState(space?.parent_id ?? 0)
  const [logo, setLogo] = useState(space?.logo ?? '')
  const [cover, setCover] = useState(space?.cover_photo ?? '')
  const [settings, setSettings] = useState<NonNullable<SpaceInput['settings']>>({
    emoji: space?.settings.emoji ?? '',
    members_page_status: space?.settings.members_page_status ?? 'members_only',
    allow_comments: space?.settings.allow_comments ?? true,
    require_approval: space?.settings.require_approval ?? false,
    post_permissions: space?.settings.post_permissions ?? ['member', 'moderator', 'admin'],
    topic_required: space?.settings.topic_required ?? 'no',
  })
  const { ref, errorOf, formError } = useApiForm({ fields: ['title', 'slug', 'description'], error })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit({
      title,
      slug,
      description,
      privacy,
      parent_id: group || null,
      logo: logo || null,
      cover_photo: cover || null,
      settings,
      ...(!space && { type: 'community' as const }),
    })
  }
  return (
    <form className={sheet.form} ref={ref} onSubmit={submit}>
      <Card className={sheet.part}>
        <h2>{t('form.about')}</h2>
        <TextField
          label={t('form.title')}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          maxLength={194}
          error={errorOf('title')}
          required
        />
        <TextArea
          label={t('form.description')}
          hint={t('form.descriptionHint')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={errorOf('description')}
        />
        <div className={sheet.pair}>
          <TextField
            label={t('form.emoji')}
            hint={t('form.emojiHint')}
            value={settings.emoji}
            onChange={(event) => setSettings({ ...settings, emoji: event.currentTarget.value })}
            maxLength={50}
          />
          <TextField
            label={t('form.slug')}
            hint={t('form.slugHint')}
            value={slug}
            onChange={(event) => setSlug(event.currentTarget.value)}
            pattern="[A-Za-z0-9_\-]*"
            maxLength={194}
            autoCapitalize="none"
            spellCheck={false}
            error={errorOf('slug')}
          />
        </div>
        <SelectField label={t('form.group')} value={String(group)} onChange={(event) => setGroup(Number(event.currentTarget.value))}>
          <option value="0">{t('form.noGroup')}</option>
          {groups.data?.groups.map(({ id, title: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <PictureField label={t('form.logo')} value={logo} onChange={setLogo} send={sendPicture} />
        <PictureField label={t('form.cover')} value={cover} onChange={setCover} send={sendPicture} wide />
      </Card>
      <Card className={sheet.part}>
        <h2>{t('form.access')}</h2>
        <fieldset className={sheet.choices}>
          <legend>{t('form.privacy')}</legend>
          {PRIVACIES.map((value) => (
            <label key={value} className={style.choice}>
              <input type="radio" name="privacy" checked={privacy === value} onChange={() => setPrivacy(value)} />
              <span>
                <strong>{t(`privacy.${value}`)}</strong>
                <span>{t(`privacyText.${value}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <SelectField
          label={t('form.membersPage')}
          value={settings.members_page_status === 'logged_in' ? 'everybody' : settings.members_page_status}
          onChange={(event) =>
            setSettings({ ...settings, members_page_status: event.currentTarget.value as (typeof MEMBERS_PAGES)[number] })
          }
        >
          {MEMBERS_PAGES.map((value) => (
            <option key={value} value={value}>
              {t(`form.membersPages.${value}`)}
            </option>
          ))}
        </SelectField>
      </Card>
      <Card className={sheet.part}>
        <h2>{t('form.posts')}</h2>
        <Check
          label={t('form.membersPost')}
          checked={settings.post_permissions?.includes('member') ?? true}
          onChange={(event) =>
            setSettings({
              ...settings,
              post_permissions: event.currentTarget.checked ? ['member', 'moderator', 'admin'] : ['moderator', 'admin'],
            })
          }
        />
        <Check
          label={t('form.approval')}
          hint={t('form.approvalHint')}
          checked={settings.require_approval ?? false}
          onChange={(event) => setSettings({ ...settings, require_approval: event.currentTarget.checked })}
        />
        <Check
          label={t('form.comments')}
          checked={settings.allow_comments ?? true}
          onChange={(event) => setSettings({ ...settings, allow_comments: event.currentTarget.checked })}
        />
        <Check
          label={t('form.topicRequired')}
          checked={settings.topic_required === 'yes'}
          onChange={(event) => setSettings({ ...settings, topic_required: event.currentTarget.checked ? 'yes' : 'no' })}
        />
      </Card>
      <ErrorMessage>{formError}</ErrorMessage>
      <div className={sheet.end}>
        {children}
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
