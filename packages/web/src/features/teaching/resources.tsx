import { Plus, Upload, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/optimistic.ts'
import { upload } from '../../lib/upload.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import style from './resources.module.css'

interface Resource {
  title: string
  url: string
}

interface Props {
  readonly resources: readonly Resource[]
  readonly error?: string | undefined
  readonly onChange: (resources: Resource[]) => void
}

/** Files and links of a lesson. */
export const Resources = ({ resources, error, onChange }: Props) => {
  const { t } = useTranslation('teaching')
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const change = (at: number, part: Partial<Resource>) => onChange(resources.map((each, n) => (n === at ? { ...each, ...part } : each)))
  const send = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    try {
      const { file_url: url } = await upload(file, 'lesson')
      onChange([...resources, { title: file.name, url }])
    } catch (failure) {
      toast(errorMessage(failure), 'failed')
    }
    setBusy(false)
  }
  return (
    <fieldset className={style.field}>
      <legend>{t('resource.title')}</legend>
      {resources.map(({ title, url }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: resources have no ID and keep their order
        <div key={n} className={style.row}>
          <TextField
            label={t('resource.name')}
            value={title}
            maxLength={200}
            onChange={(event) => change(n, { title: event.currentTarget.value })}
          />
          <TextField
            label={t('resource.address')}
            type="url"
            value={url}
            onChange={(event) => change(n, { url: event.currentTarget.value })}
          />
          <IconButton label={t('resource.remove', { title: title || url })} onClick={() => onChange(resources.filter((_, at) => at !== n))}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <ErrorMessage>{error}</ErrorMessage>
      <div className={style.acts}>
        <input
          ref={input}
          type="file"
          hidden
          onChange={(event) => {
            void send(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        <Button icon={<Upload aria-hidden="true" />} busy={busy} onClick={() => input.current?.click()}>
          {t('resource.upload')}
        </Button>
        <Button kind="quiet" icon={<Plus aria-hidden="true" />} onClick={() => onChange([...resources, { title: '', url: '' }])}>
          {t('resource.link')}
        </Button>
      </div>
    </fieldset>
  )
}
