import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { TextField } from '../../../ui/field.tsx'
import style from './imports.module.css'
import { type Config, configQuery, type Source } from './queries.ts'

interface Props {
  readonly source: Source
  readonly config: Config
}

/** The site that the next import reads, with an account of an administrator. */
export const SiteForm = ({ source, config }: Props) => {
  const { t } = useTranslation('imports')
  const [url, setUrl] = useState(config.url ?? '')
  const [username, setUsername] = useState(config.username ?? '')
  const [password, setPassword] = useState('')
  const form = useApiForm({ fields: ['url', 'username', 'application_password'] })
  const save = (next: { readonly url: string; readonly username?: string; readonly application_password?: string }, done: string) =>
    form.run(async () => {
      const { config: saved } = await client.migrations.saveConfig({ source, ...next })
      queryClient.setQueryData(configQuery(source).queryKey, saved)
      setUrl(saved.url ?? '')
      setUsername(saved.username ?? '')
      setPassword('')
    }, done)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const account = { username: username.trim(), ...(password && { application_password: password }) }
    void save({ url: url.trim(), ...account }, t('site.saved'))
  }
  const isSaved = config.url !== null && config.url !== ''
  return (
    <form ref={form.ref} className={style.stack} onSubmit={send}>
      <TextField
        label={t('site.url')}
        hint={t('site.urlHint')}
        type="url"
        required
        placeholder="https://community.example"
        value={url}
        error={form.errorOf('url')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <div className={style.pair}>
        <TextField
          label={t('site.username')}
          autoComplete="off"
          value={username}
          error={form.errorOf('username')}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <TextField
          label={t(source === 'discourse' ? 'site.apiKey' : 'site.password')}
          hint={t(isSaved ? 'site.passwordStored' : 'site.passwordHint')}
          type="password"
          autoComplete="new-password"
          value={password}
          error={form.errorOf('application_password')}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </div>
      <ErrorMessage>{form.formError}</ErrorMessage>
      <div className={style.acts}>
        <Button type="submit" busy={form.busy}>
          {t('site.save')}
        </Button>
        {isSaved && (
          <Button kind="quiet" busy={form.busy} onClick={() => save({ url: '' }, t('site.removed'))}>
            {t('site.remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
