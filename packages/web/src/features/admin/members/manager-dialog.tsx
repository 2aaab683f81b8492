import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check, SelectField } from '../../../ui/field.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import type { Permission } from '../admin-nav.ts'
import { SaveForm } from '../form-kit.tsx'
import { ManagerSpaces } from './manager-spaces.tsx'
import style from './members.module.css'
import { type Manager, managersQuery } from './queries.ts'

const ROLES = ['moderator', 'manager', 'admin'] as const
type Role = (typeof ROLES)[number]
const GROUPS: Readonly<Record<string, readonly Permission[]>> = {
  content: ['manage_feeds', 'manage_comments', 'pin_feeds', 'feature_content'],
  spaces: ['manage_spaces', 'manage_space_members', 'moderate_spaces'],
  people: ['manage_members', 'ban_members'],
  moderation: ['view_reports', 'resolve_reports'],
  community: ['manage_settings', 'view_analytics', 'manage_webhooks'],
}
/** Default permissions of a role; administrators have all. */
const USUAL: Readonly<Record<Role, readonly Permission[]>> = {
  admin: Object.values(GROUPS).flat(),
  manager: ['manage_feeds', 'manage_comments', 'pin_feeds', 'manage_space_members', 'view_reports', 'resolve_reports', 'view_analytics'],
  moderator: ['manage_comments', 'view_reports', 'resolve_reports'],
}

interface Person {
  readonly id: number
  readonly name: string
}

const Who = ({ chosen, onChoose }: { readonly chosen: Person | null; readonly onChoose: (person: Person) => void }) => {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const found = useQuery({
    queryKey: keys.admin.managerCandidates(search),
    queryFn: async ({ signal }) => (await client.members.list({ search, per_page: 6 }, { signal })).members.data,
    enabled: search.length > 1,
  })
  const managers = useInfiniteQuery(managersQuery).data?.pages.flatMap((page) => page.managers) ?? []
  const isOne = (id: number, role: string) => role !== 'member' || managers.some(({ user_id }) => user_id === id)
  return (
    <div className={style.choose}>
      <SearchBox label={t('managers.search')} value={search} onChange={setSearch} />
      {found.data?.map(({ user_id, display_name, username, avatar, role }) => (
        <button
          key={user_id}
          type="button"
          className={style.person}
          disabled={isOne(user_id, role)}
          aria-pressed={chosen?.id === user_id}
          onClick={() => onChoose({ id: user_id, name: display_name })}
        >
          <Avatar name={display_name} src={avatar} size="small" />
          <span>
            {display_name} <span className={style.soft}>(@{username})</span>
          </span>
          {isOne(user_id, role) && <span className={style.soft}>{t('managers.alreadyManager')}</span>}
        </button>
      ))}
      {found.data?.length === 0 && <p className={style.soft}>{t('members.empty')}</p>}
      {chosen && <p role="status">{t('managers.selected', { name: chosen.name })}</p>}
    </div>
  )
}

/** Edits role, permissions and spaces of a manager. */
export const ManagerDialog = ({ manager, onClose }: { readonly manager: Manager | null; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const form = useApiForm()
  const [person, setPerson] = useState<Person | null>(manager && { id: manager.user_id, name: manager.xprofile.display_name })
  const [role, setRole] = useState<Role>(manager?.role ?? 'moderator')
  const [allowed, setAllowed] = useState<readonly Permission[]>(manager?.permissions ?? USUAL.moderator)
  const [spaces, setSpaces] = useState<readonly number[] | null>(manager?.spaces ?? null)
  const [nobody, setNobody] = useState(false)
  const [active, setActive] = useState(manager?.status !== 'inactive')
  const finish = async (work: () => Promise<unknown>, words: string) => {
    if (!(await form.run(work, words))) return
    onClose()
    await queryClient.invalidateQueries({ queryKey: keys.admin.managers })
  }
  const save = () => {
    setNobody(!person)
    if (!person) return
    const record = {
      user_id: person.id,
      role,
      permissions: [...allowed],
      spaces: spaces && role !== 'admin' ? [...spaces] : null,
      status: active ? ('active' as const) : ('inactive' as const),
    }
    void finish(() => (manager ? client.managers.update(record) : client.managers.save(record)), t('saved'))
  }
  const choose = (next: Role) => {
    setRole(next)
    setAllowed(USUAL[next])
  }
  return (
    <Dialog title={manager ? manager.xprofile.display_name : t('managers.add')} onClose={onClose} wide lightly={false}>
      <SaveForm form={form} onSave={save}>
        {!manager && <Who chosen={person} onChoose={setPerson} />}
        {nobody && !person && (
          <p className={style.missing} role="alert">
            {t('managers.selectFirst')}
          </p>
        )}
        <SelectField
          label={t('members.role')}
          hint={t(`managerHint.${role}`)}
          value={role}
          onChange={(event) => choose(event.currentTarget.value as Role)}
        >
          {ROLES.map((value) => (
            <option key={value} value={value}>
              {t(`managerRole.${value}`)}
            </option>
          ))}
        </SelectField>
        <div className={style.grid}>
          {Object.entries(GROUPS).map(([group, permissions]) => (
            <fieldset key={group} disabled={role === 'admin'}>
              <legend>{t(`permissionGroup.${group}`)}</legend>
              {permissions.map((permission) => (
                <Check
                  key={permission}
                  label={t(`permission.${permission}`)}
                  checked={role === 'admin' || allowed.includes(permission)}
                  onChange={(event) =>
                    setAllowed(event.currentTarget.checked ? [...allowed, permission] : allowed.filter((one) => one !== permission))
                  }
                />
              ))}
            </fieldset>
          ))}
        </div>
        {role !== 'admin' && <ManagerSpaces spaces={spaces} onChange={setSpaces} />}
        <Check label={t('managers.active')} checked={active} onChange={(event) => setActive(event.currentTarget.checked)} />
        {manager && (
          <Button onClick={() => finish(() => client.managers.remove({ user_id: manager.user_id }), t('managers.removed'))}>
            {t('managers.remove')}
          </Button>
        )}
      </SaveForm>
    </Dialog>
  )
}
