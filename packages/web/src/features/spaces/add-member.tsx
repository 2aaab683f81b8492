import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { keys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PersonList, PersonRow } from '../people/person-row.tsx'
import { refetchSpaces } from './actions.ts'
import type { SpaceDetail } from './queries.ts'

/** Searches for members and adds them to a space. */
export const AddMember = ({ space, onClose }: { readonly space: SpaceDetail; readonly onClose: () => void }) => {
  const { t } = useTranslation('spaces')
  const [q, setQ] = useState('')
  const [added, setAdded] = useState<readonly number[]>([])
  const found = useQuery({
    queryKey: keys.spaces.candidates(space.id, q),
    queryFn: async ({ signal }) => (await client.spaceMembers.searchUsers({ q, space_id: space.id }, { signal })).data,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const add = async (user_id: number, name: string) => {
    try {
      await client.spaceMembers.add({ space_slug: space.slug, user_id })
      setAdded((before) => [...before, user_id])
      toast(t('list.added', { name }))
      await refetchSpaces()
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
  }
  return (
    <Dialog title={t('list.addTo', { space: space.title })} onClose={onClose}>
      <SearchBox label={t('list.searchLabel')} value={q} onChange={setQ} />
      {q === '' && <p>{t('list.searchHint')}</p>}
      {found.isLoading && <Skeleton lines={4} />}
      {found.isError && <p role="alert">{errorMessage(found.error)}</p>}
      {q !== '' && found.data?.length === 0 && <p role="status">{t('list.noCandidates')}</p>}
      {q !== '' && (
        <PersonList label={t('list.searchLabel')}>
          {found.data?.map((person) => (
            <PersonRow key={person.id} person={person}>
              <Button
                disabled={added.includes(person.id)}
                aria-label={t('list.addLabel', { name: person.display_name })}
                onClick={() => add(person.id, person.display_name)}
              >
                {t(added.includes(person.id) ? 'list.isMember' : 'list.addOne')}
              </Button>
            </PersonRow>
          ))}
        </PersonList>
      )}
    </Dialog>
  )
}
