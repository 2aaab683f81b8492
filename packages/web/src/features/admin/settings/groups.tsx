import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { MoveButtons, withItemMoved } from '../../../ui/move-buttons.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { FormSection, PageHeader, SaveForm } from '../form-kit.tsx'
import style from './settings.module.css'

const QUERY = { queryKey: keys.admin.groups, queryFn: () => client.spaceGroups.list({ include_empty: true }) }
const refresh = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: QUERY.queryKey }), queryClient.invalidateQueries({ queryKey: keys.spaces.all })])
const act = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    toast(errorMessage(error), 'failed')
  }
  await refresh()
}
const GroupDialog = ({
  group,
  onClose,
}: {
  readonly group: { readonly id: number; readonly title: string } | null
  readonly onClose: () => void
}) => {
  const { t } = useTranslation('admin')
  const form = useApiForm()
  const [title, setTitle] = useState(group?.title ?? '')
  const save = async () => {
    const work = () => (group ? client.spaceGroups.update({ group_id: group.id, title }) : client.spaceGroups.create({ title }))
    if (!(await form.run(work, t('saved')))) return
    onClose()
    await refresh()
  }
  return (
    <Dialog title={t(group ? 'groups.rename' : 'groups.add')} onClose={onClose}>
      <SaveForm form={form} onSave={save}>
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

/** Space groups and the order of groups and spaces. */
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
      <PageHeader title={t('area.groups')} about={t('groups.about')}>
        <Button kind="primary" icon={<Plus aria-hidden="true" />} onClick={() => setEdited('new')}>
          {t('groups.add')}
        </Button>
      </PageHeader>
      <QueryState query={query} lines={6} />
      {sheets.map(({ id, title, spaces }, at) => (
        <FormSection
          key={id}
          title={title}
          acts={
            id > 0 && (
              <>
                <MoveButtons
                  id={`group ${id}`}
                  title={title}
                  isFirst={at === 0}
                  isLast={at === groupIds.length - 1}
                  onMove={(step) => act(() => client.spaceGroups.reorder({ group_ids: withItemMoved(groupIds, at, at + step) }))}
                />
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
                <MoveButtons
                  id={`space ${space.id}`}
                  title={space.title}
                  isFirst={place === 0}
                  isLast={place === spaces.length - 1}
                  onMove={(step) => {
                    const space_ids = withItemMoved(spaces, place, place + step).map((one) => one.id)
                    return act(() => client.spaceGroups.reorderSpaces({ space_ids, group_id: id }))
                  }}
                />
              </li>
            ))}
          </ul>
        </FormSection>
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
