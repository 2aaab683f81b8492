import { LyceumError } from '@lyceum/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { dateOf, relativeTime } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import sheet from '../../ui/form.module.css'
import { QueryState } from '../../ui/query-state.tsx'
import { toast } from '../../ui/toasts.tsx'
import style from './account.module.css'
import { applicationPasswordsQuery } from './queries.ts'

const refetch = () => queryClient.invalidateQueries({ queryKey: applicationPasswordsQuery.queryKey })

/** Passwords for apps and scripts, which can be revoked individually. */
export const ApplicationPasswords = () => {
  const { t } = useTranslation('account')
  const list = useQuery(applicationPasswordsQuery)
  const [name, setName] = useState('')
  const [current, setCurrent] = useState('')
  const [asked, setAsked] = useState(false)
  const [removing, setRemoving] = useState<{ readonly id: number; readonly name: string } | null>(null)
  const make = useMutation({
    mutationFn: async () => (await client.account.createApplicationPassword({ name, ...(asked && { current_password: current }) })).data,
    onError: (error) => {
      if (error instanceof LyceumError && error.code === 'password_required') setAsked(true)
    },
    onSuccess: async () => {
      setName('')
      setCurrent('')
      setAsked(false)
      await refetch()
    },
  })
  const isAsking = make.error instanceof LyceumError && make.error.code === 'password_required'
  const errorOf = formErrors(isAsking ? null : make.error, ['name', 'current_password'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  const copy = async (password: string) => {
    await navigator.clipboard.writeText(password)
    toast(t('app.copied'))
  }
  return (
    <Card className={sheet.part}>
      <h2>{t('app.title')}</h2>
      <p className={sheet.soft}>{t('app.text')}</p>
      {make.data && (
        <div className={style.secret} role="status">
          <p>{t('app.created', { name: make.data.name })}</p>
          <code>{make.data.password}</code>
          <Button className={sheet.start} icon={<Copy aria-hidden="true" />} onClick={() => copy(make.data.password)}>
            {t('app.copy')}
          </Button>
        </div>
      )}
      <QueryState query={list} lines={3} />
      {list.data && list.data.length > 0 && (
        <ul className={style.list}>
          {list.data.map((one) => (
            <li key={one.id}>
              <span className={style.what}>
                <strong>{one.name}</strong>
                <span>
                  {t('app.createdOn', { date: dateOf(one.created_at) })}
                  {' · '}
                  {one.last_used_at
                    ? t('app.lastUsed', { when: relativeTime(one.last_used_at), ip: one.last_ip ?? '' })
                    : t('app.neverUsed')}
                </span>
              </span>
              <Button kind="quiet" onClick={() => setRemoving(one)} aria-label={t('app.revokeLabel', { name: one.name })}>
                {t('app.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={style.inline} onSubmit={submit}>
        <TextField
          label={t('app.name')}
          hint={t('app.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          error={errorOf('name') ?? errorOf('')}
          required
        />
        {asked && (
          <TextField
            label={t('current')}
            hint={t('app.currentHint')}
            type="password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            autoComplete="current-password"
            error={errorOf('current_password')}
            required
          />
        )}
        <Button type="submit" busy={make.isPending}>
          {t('app.create')}
        </Button>
      </form>
      {removing && (
        <Confirm
          title={t('app.revokeTitle', { name: removing.name })}
          action={t('app.revoke')}
          onConfirm={async () => {
            await client.account.deleteApplicationPassword({ id: removing.id })
            await refetch()
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('app.revokeText')}</p>
        </Confirm>
      )}
    </Card>
  )
}
