import { FileText, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { locale } from '../../../lib/i18n.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { queryClient } from '../../../lib/query.ts'
import { clientWithProgress } from '../../../lib/upload.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Progress } from '../../../ui/progress.tsx'
import style from './imports.module.css'
import { type Config, configQuery, type Source } from './queries.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

const size = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale(), format).format(bytes / 1000 ** power)
}

interface Props {
  readonly source: Source
  readonly config: Config
}

/** The files that the next import reads. */
export const UploadedFiles = ({ source, config: { files, url } }: Props) => {
  const { t } = useTranslation('imports')
  const input = useRef<HTMLInputElement>(null)
  /** The file that is being uploaded, and which part of it is. */
  const [sending, setSending] = useState<{ readonly name: string; readonly share: number } | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const store = (config: Config) => queryClient.setQueryData(configQuery(source).queryKey, config)
  const act = async (work: () => Promise<void>) => {
    setFailure('')
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setFailure(errorMessage(error))
    }
    setBusy(false)
    setSending(null)
  }
  const send = (chosen: readonly File[]) =>
    act(async () => {
      // A site takes precedence over files.
      if (url) await client.migrations.saveConfig({ source, url: '' })
      for (const file of chosen) {
        setSending({ name: file.name, share: 0 })
        const sender = clientWithProgress((share) => setSending({ name: file.name, share }))
        store((await sender.migrations.addFile({ source, file, filename: file.name })).config)
      }
    })
  const remove = () => act(async () => void store((await client.migrations.removeFiles({ source })).config))
  return (
    <>
      {files.length > 0 && (
        <ul aria-label={t('files.title')}>
          {files.map((file) => (
            <li key={file.id} className={style.row}>
              <FileText aria-hidden="true" />
              <span className={style.name}>{file.file_name}</span>
              <span className={style.soft}>{size(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
      {sending && <Progress value={sending.share * 100} label={t('files.uploading', { name: sending.name })} text={sending.name} />}
      <div className={style.acts}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            if (chosen.length > 0) void send(chosen)
          }}
        />
        <Button icon={<Upload aria-hidden="true" />} busy={busy} onClick={() => input.current?.click()}>
          {t('files.upload')}
        </Button>
        {files.length > 0 && (
          <Button kind="quiet" icon={<Trash2 aria-hidden="true" />} busy={busy} onClick={remove}>
            {t('files.remove')}
          </Button>
        )}
      </div>
      <p className={style.soft}>{t('files.note')}</p>
      <ErrorMessage>{failure}</ErrorMessage>
    </>
  )
}
