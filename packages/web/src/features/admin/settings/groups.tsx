import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { reasonOf } from '../../../lib/doing.ts'
import { queryClient } from '../../../lib/query.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Failure, Skeleton } from '../../../ui/states.tsx'
import { say } from '../../../ui/toasts.tsx'
import { AreaHead, SaveForm, Sheet, useSaving } from '../parts.tsx'
import style from './settings.module.css'

const QUERY = { queryKey: ['admin', 'groups'], queryFn: () => client.spaceGroups.list({ include_empty: true }) }
const refresh = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: QUERY.queryKey }), queryClient.invalidateQueries({ queryKey: ['spaces'] })])
const act = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    say(reasonOf(error), 'failed')
  }
  await refresh()
}
/** The same with two neighbours exchanged. */
const moved = (ids: readonly number[], at: number, by: 1 | -1) => {
  const next = [...ids]
  const [one] = next.splice(at, 1)
  if (one !== undefined) next.splice(at + by, 0, one)
  return next
}

interface MoveProps {
  readonly name: string
  readonly at: number
  readonly ids: readonly number[]
  readonly onMove: (ids: number[]) => void
}

const Move = ({ name, at, ids, onMove }: MoveProps) => {
  const { t } = useTranslation('admin')
  return (
    <>
      <IconButton label={t('groups.up', { name })} disabled={at === 0} onClick={() => onMove(moved(ids, at, -1))}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton label={t('groups.down', { name })} disabled={at === ids.length - 1} onClick={() => onMove(moved(ids, at, 1))}>
        <ArrowDown aria-hidden="true" />
      </IconButton>
    </>
  )
}

const GroupDialog = ({
  group,
  onClose,
}: {
  readonly group: { readonly id: number; readonly title: string } | null
  readonly onClose: () => void
}) => {
  const { t } = useTranslation('admin')
  const saving = useSaving()
  const [title, setTitle] = useState(group?.title ?? '')
  const save = async () => {
    const work = () => (group ? client.spaceGroups.update({ group_id: group.id, title }) : client.spaceGroups.create({ title }))
    if (!(await saving.run(work, t('saved')))) return
    onClose()
    await refresh()
  }
  return (
    <Dialog title={t(group ? 'groups.rename' : 'groups.add')} onClose={onClose}>
      <SaveForm saving={saving} onSave={save}>
        <TextField
          label={t('groups.title')}
          value={title}
          required
          maxLength={100}
          onChange={(event) => setTitle(event.currentTarget.value)}
          autoFocus
        />
      </SaveForm>
    </Dialog>
  )
}

/** Groups of spaces, and the order in which both stand. */
export const GroupsPage = () => {
  const { t } = useTranslation('admin')
  const query = useQuery(QUERY)
  const [edited, setEdited] = useState<{ readonly id: number; readonly title: string } | 'new' | null>(null)
  const [removed, setRemoved] = useState<number | null>(null)
  const groups = query.data?.groups ?? []
  const groupIds = groups.map(({ id }) => id)
  const sheets = query.data
    ? [
        ...groups.map(({ id, title, spaces = [] }) => ({ id, title, spaces })),
        { id: 0, title: t('groups.none'), spaces: query.data.orphaned_spaces },
      ]
    : []
  return (
    <>
      <AreaHead title={t('area.groups')} about={t('groups.about')}>
        <Button kind="primary" icon={<Plus aria-hidden="true" />} onClick={() => setEdited('new')}>
          {t('groups.add')}
        </Button>
      </AreaHead>
      {query.isPending && <Skeleton lines={6} />}
      {query.error && <Failure error={query.error} onRetry={query.refetch} />}
      {sheets.map(({ id, title, spaces }, at) => (
        <Sheet
          key={id}
          title={title}
          acts={
            id > 0 && (
              <>
                <Move name={title} at={at} ids={groupIds} onMove={(group_ids) => act(() => client.spaceGroups.reorder({ group_ids }))} />
                <Menu
                  label={t('groups.actions', { name: title })}
                  trigger={<Ellipsis aria-hidden="true" />}
                  actions={[
                    { label: t('groups.rename'), icon: <Pencil />, onAction: () => setEdited({ id, title }) },
                    { label: t('common:delete'), icon: <Trash2 />, danger: true, onAction: () => setRemoved(id) },
                  ]}
                />
              </>
            )
          }
        >
          {spaces.length === 0 && <p className={style.soft}>{t('groups.empty')}</p>}
          <ul hidden={spaces.length === 0}>
            {spaces.map((space, place) => (
              <li key={space.id} className={style.row}>
                <span className={style.space}>{space.title}</span>
                <select
                  aria-label={t('groups.moveTo', { name: space.title })}
                  className={style.select}
                  value={id}
                  onChange={(event) =>
                    act(() => client.spaceGroups.moveSpace({ space_id: space.id, group_id: Number(event.target.value) }))
                  }
                >
                  {sheets.map((sheet) => (
                    <option key={sheet.id} value={sheet.id}>
                      {sheet.title}
                    </option>
                  ))}
                </select>
                <Move
                  name={space.title}
                  at={place}
                  ids={spaces.map((one) => one.id)}
                  onMove={(space_ids) => act(() => client.spaceGroups.reorderSpaces({ space_ids, group_id: id }))}
                />
              </li>
            ))}
          </ul>
        </Sheet>
      ))}
      {edited && <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed !== null && (
        <Confirm
          title={t('groups.removeTitle')}
          action={t('common:delete')}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await client.spaceGroups.remove({ group_id: removed })
            await refresh()
          }}
        >
          <p>{t('groups.removeHint')}</p>
        </Confirm>
      )}
    </>
  )
}
