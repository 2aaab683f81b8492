import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { communityQuery } from '../../lib/community.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import sheet from '../../ui/form.module.css'
import { toast } from '../../ui/toasts.tsx'
import { refetchSpaces } from './actions.ts'
import { LockScreenSettings } from './lockscreen-settings.tsx'
import { spaceQuery } from './queries.ts'
import { LinkSettings } from './settings-links.tsx'
import { TopicSettings } from './settings-topics.tsx'
import style from './space-form.module.css'
import { SpaceForm, type SpaceInput } from './space-form.tsx'

const route = getRouteApi('/members/spaces/$slug/settings')

export const SpaceSettingsPage = () => {
  const { t } = useTranslation('spaces')
  const { slug } = route.useParams()
  const navigate = useNavigate()
  const { data: space } = useSuspenseQuery(spaceQuery(slug))
  const { data: community } = useQuery(communityQuery)
  const [asking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: async (words: SpaceInput) =>
      (await client.spaces.updateById({ space_id: space.id, ...words, slug: words.slug || space.slug })).data,
    onSuccess: async (saved) => {
      toast(t('saved'))
      if (saved.slug !== slug) await navigate({ to: '/spaces/$slug/settings', params: { slug: saved.slug }, replace: true })
      await refetchSpaces()
    },
  })
  if (!space.permissions.community_admin) return null
  const remove = async () => {
    await client.spaces.removeById({ space_id: space.id })
    await navigate({ to: '/spaces' })
    queryClient.removeQueries({ queryKey: keys.spaces.detail(slug) })
    toast(t('deleted'))
    await refetchSpaces()
  }
  return (
    <div className={sheet.page}>
      <SpaceForm
        space={space}
        action={t('common:save')}
        busy={save.isPending}
        error={save.error}
        onSubmit={(words) => save.mutate(words)}
      />
      {community?.features.topics && <TopicSettings key={`topics-${space.id}`} space={space} />}
      <LinkSettings key={`links-${space.id}`} space={space} />
      {space.privacy === 'private' && <LockScreenSettings key={`lock-${space.id}`} space={space} />}
      <Card className={style.danger}>
        <div>
          <h2>{t('delete')}</h2>
          <p>{t('deleteText')}</p>
        </div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      </Card>
      {asking && (
        <Confirm title={t('deleteSure', { space: space.title })} action={t('delete')} onConfirm={remove} onClose={() => setAsking(false)}>
          <p>{t('deleteText')}</p>
        </Confirm>
      )}
    </div>
  )
}
