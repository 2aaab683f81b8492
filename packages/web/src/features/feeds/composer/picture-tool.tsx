import type { Editor } from '@tiptap/react'
import { ImageUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../../lib/optimistic.ts'
import { pictureUrl } from '../../../lib/pictures.ts'
import { upload } from '../../../lib/upload.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toasts.tsx'
import style from './rich-text-toolbar.module.css'

const PICTURES = 'image/jpeg,image/png,image/gif,image/webp'

/** Uploads an image, asks for its alternative text and inserts it at the caret. */
export const usePictureTool = (
  editor: Editor,
  source: 'feed' | 'course' | 'lesson',
): { readonly tool: ReactNode; readonly form: ReactNode } => {
  const { t } = useTranslation('feeds')
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState(false)
  const [picture, setPicture] = useState<string>()
  const [alt, setAlt] = useState('')
  const send = async (file: File | undefined) => {
    if (!file) return
    setSending(true)
    try {
      setPicture((await upload(file, source)).file_url)
    } catch (error) {
      toast(`${file.name}: ${errorMessage(error)}`, 'failed')
    } finally {
      setSending(false)
    }
  }
  const put = () => {
    if (!picture) return
    editor.chain().focus().setImage({ src: picture, alt: alt.trim() }).run()
    setPicture(undefined)
    setAlt('')
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    put()
  }
  const tool = (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURES}
        onChange={({ currentTarget }) => {
          void send(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <IconButton className={style.tool ?? ''} label={t('editor.inlinePicture')} aria-busy={sending} onClick={() => input.current?.click()}>
        <ImageUp />
      </IconButton>
    </>
  )
  const form = (sending || picture) && (
    <div className={style.link}>
      {sending ? (
        <p role="status">{t('common:picture.uploading')}</p>
      ) : (
        <>
          <img className={style.small} src={pictureUrl(picture)} alt="" />
          <input
            className={style.address}
            value={alt}
            maxLength={300}
            onChange={(event) => setAlt(event.currentTarget.value)}
            onKeyDown={keys}
            placeholder={t('editor.description')}
            aria-label={t('editor.description')}
            // biome-ignore lint/a11y/noAutofocus: rendered only after an image was selected
            autoFocus
          />
          <Button kind="primary" onClick={put}>
            {t('editor.insertPicture')}
          </Button>
        </>
      )}
    </div>
  )
  return { tool, form }
}
