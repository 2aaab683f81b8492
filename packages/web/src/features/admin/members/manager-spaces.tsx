import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Check } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import style from './members.module.css'

const QUERY = { queryKey: keys.admin.groups, queryFn: () => client.spaceGroups.list({ include_empty: true }) }

interface Props {
  /** Null: all spaces. */
  readonly spaces: readonly number[] | null
  readonly onChange: (spaces: readonly number[] | null) => void
}

/** Limits permissions to selected spaces. */
export const ManagerSpaces = ({ spaces, onChange }: Props) => {
  const { t } = useTranslation('admin')
  const query = useQuery({ ...QUERY, enabled: spaces !== null })
  const all = query.data ? [...query.data.groups.flatMap(({ spaces: own = [] }) => own), ...query.data.orphaned_spaces] : []
  return (
    <>
      <Check
        label={t('managers.limited')}
        hint={t('managers.limitedHint')}
        checked={spaces !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? [] : null)}
      />
      {spaces && (
        <fieldset className={style.spaces}>
          <legend>{t('permissionGroup.spaces')}</legend>
          <QueryState query={query} lines={3} />
          {all.map(({ id, title }) => (
            <Check
              key={id}
              label={title}
              checked={spaces.includes(id)}
              onChange={(event) => onChange(event.currentTarget.checked ? [...spaces, id] : spaces.filter((one) => one !== id))}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
