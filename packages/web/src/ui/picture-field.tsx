import { ImagePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../lib/optimistic.ts'
import { pictureUrl } from '../lib/pictures.ts'
import { Button, IconButton } from './button.tsx'
import { ErrorMessage } from './error-message.tsx'
import style from './picture-field.module.css'

interface Props {
  readonly label: string
  readonly hint?: string
  /** URL of the picture; empty if there is none. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Uploads a file and returns its URL. */
  readonly send: (file: File, onProgress: (share: number) => void) => Promise<string>
  readonly wide?: boolean
}

/** A form field to choose, replace or remove a picture. */
export const PictureField = ({ label, hint, value, onChange, send, wide = false }: Props) => {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number | null>(null)
  const [refusal, setRefusal] = useState('')
  const choose = async (file: File | undefined) => {
    if (!file) return
    setRefusal('')
    setShare(0)
    try {
      onChange(await send(file, setShare))
    } catch (error) {
      setRefusal(errorMessage(error))
    }
    setShare(null)
  }
  return (
    <fieldset className={style.field} data-wide={wide || undefined}>
      <legend>{label}</legend>
      {value ? <img className={style.picture} src={pictureUrl(value)} alt="" /> : <span className={style.none} aria-hidden="true" />}
      <div className={style.acts}>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          hidden
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        <Button icon={<ImagePlus aria-hidden="true" />} busy={share !== null} onClick={() => input.current?.click()}>
          {t(value ? 'picture.change' : 'picture.choose')}
        </Button>
        {value && share === null && (
          <IconButton label={t('picture.remove')} onClick={() => onChange('')}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        )}
        {share !== null && <progress className={style.progress} value={share} max={1} aria-label={t('picture.uploading')} />}
      </div>
      {hint && <p className={style.hint}>{hint}</p>}
      <ErrorMessage>{refusal}</ErrorMessage>
    </fieldset>
  )
}
