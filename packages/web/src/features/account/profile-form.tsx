import type { Inputs } from '@lyceum/sdk'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { sessionQuery, useMe } from '../../lib/session.ts'
import { upload } from '../../lib/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Check, TextArea, TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { PictureField } from '../../ui/picture-field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { UnsavedChangesGuard } from '../../ui/unsaved-changes.tsx'
import { SITES } from '../people/profile-links.tsx'
import { profileQuery } from '../people/queries.ts'

const sendPicture = async (file: File, onProgress: (share: number) => void) => (await upload(file, 'profile', onProgress)).file_url
/** Fields that display their own errors. */
const SHOWN = ['display_name', 'bio', 'location', 'website', 'social_links']

export const ProfileForm = () => {
  const { t } = useTranslation('account')
  const me = useMe()
  const { data: profile } = useSuspenseQuery(profileQuery(me.username))
  const [words, setWords] = useState({
    display_name: profile.display_name,
    bio: profile.bio,
    location: profile.location,
    website: profile.website,
    avatar: profile.avatar,
    cover_photo: profile.cover_photo,
    is_private: profile.is_private,
  })
  const [links, setLinks] = useState<Readonly<Record<string, string>>>({ ...profile.social_links })
  const now = JSON.stringify([words, links])
  const [kept, setKept] = useState(now)
  const change = (part: Partial<typeof words>) => setWords((before) => ({ ...before, ...part }))
  const save = useMutation({
    mutationFn: async () => {
      const changed = Object.fromEntries(
        Object.entries(links).filter(([site, address]) => address !== (profile.social_links as Readonly<Record<string, string>>)[site]),
      )
      await client.profiles.update({
        username: me.username,
        ...words,
        ...(Object.keys(changed).length > 0 && { social_links: changed as NonNullable<Inputs['profiles']['update']['social_links']> }),
      })
      return now
    },
    onSuccess: async (sent) => {
      setKept(sent)
      toast(t('profile.saved'))
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.profiles.all }),
        queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: keys.people.all }),
        queryClient.invalidateQueries({ queryKey: keys.feeds.all }),
      ])
    },
  })
  const { ref, errorOf, formError } = useApiForm({ fields: SHOWN, error: save.error })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className={sheet.form} ref={ref} onSubmit={submit}>
      <UnsavedChangesGuard when={now !== kept} />
      <Card className={sheet.part}>
        <h2>{t('profile.title')}</h2>
        <PictureField label={t('profile.avatar')} value={words.avatar} onChange={(avatar) => change({ avatar })} send={sendPicture} />
        <PictureField
          label={t('profile.cover')}
          value={words.cover_photo}
          onChange={(cover_photo) => change({ cover_photo })}
          send={sendPicture}
          wide
        />
        <TextField
          label={t('profile.name')}
          value={words.display_name}
          onChange={(event) => change({ display_name: event.currentTarget.value })}
          maxLength={100}
          autoComplete="name"
          error={errorOf('display_name')}
          required
        />
        <TextArea
          label={t('profile.bio')}
          hint={t('profile.bioHint')}
          value={words.bio}
          onChange={(event) => change({ bio: event.currentTarget.value })}
          error={errorOf('bio')}
        />
        <div className={sheet.pair}>
          <TextField
            label={t('profile.location')}
            value={words.location}
            onChange={(event) => change({ location: event.currentTarget.value })}
            maxLength={200}
            error={errorOf('location')}
          />
          <TextField
            label={t('profile.website')}
            type="url"
            placeholder="https://"
            value={words.website}
            onChange={(event) => change({ website: event.currentTarget.value })}
            error={errorOf('website')}
          />
        </div>
      </Card>
      <Card className={sheet.part}>
        <h2>{t('profile.links')}</h2>
        <div className={sheet.pair}>
          {Object.keys(profile.social_links).map((site) => (
            <TextField
              key={site}
              label={SITES[site] ?? site}
              type="url"
              placeholder="https://"
              value={links[site] ?? ''}
              onChange={(event) => setLinks({ ...links, [site]: event.currentTarget.value })}
            />
          ))}
        </div>
        <ErrorMessage>{errorOf('social_links')}</ErrorMessage>
      </Card>
      <Card className={sheet.part}>
        <h2>{t('profile.privacy')}</h2>
        <Check
          label={t('profile.private')}
          hint={t('profile.privateHint')}
          checked={words.is_private}
          onChange={(event) => change({ is_private: event.currentTarget.checked })}
        />
      </Card>
      <ErrorMessage>{formError}</ErrorMessage>
      <div className={sheet.end}>
        <Link to="/people/$username" params={{ username: me.username }}>
          {t('profile.view')}
        </Link>
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  )
}
