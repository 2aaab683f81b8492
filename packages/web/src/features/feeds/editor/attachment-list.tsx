import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../../lib/pictures.ts'
import { IconButton } from '../../../ui/button.tsx'
import style from './attachment-list.module.css'
import type { useAttachments } from './attachments.ts'
import type { Attachment } from './draft.ts'

interface Props {
  readonly items: readonly Attachment[]
  readonly attachments: ReturnType<typeof useAttachments>
}

/** Attachments, each with a field for its alternative text. */
export const AttachmentList = ({ items, attachments: { sending, describe, remove } }: Props) => {
  const { t } = useTranslation('feeds')
  if (items.length + sending.length === 0) return null
  return (
    <ul className={style.list} aria-label={t('editor.attachments')}>
      {items.map(({ url, type, alt }, n) => (
        <li key={url} className={style.item}>
          {type.startsWith('video') ? (
            <video className={style.picture} src={url} muted preload="metadata" />
          ) : type.startsWith('audio') ? (
            // biome-ignore lint/a11y/useMediaCaption: uploads have no caption track
            <audio className={style.sound} src={url} controls preload="metadata" aria-label={alt || t('post.uploadedAudio')} />
          ) : (
            <img className={style.picture} src={pictureUrl(url)} alt="" />
          )}
          <input
            className={style.alt}
            value={alt}
            maxLength={300}
            onChange={(event) => describe(url, event.currentTarget.value)}
            placeholder={t('editor.description')}
            aria-label={t('editor.pictureDescription', { number: n + 1 })}
          />
          <IconButton className={style.remove ?? ''} label={t('editor.removePicture', { number: n + 1 })} onClick={() => remove(url)}>
            <X />
          </IconButton>
        </li>
      ))}
      {sending.map(({ key, name, share, stop }) => (
        <li key={key} className={style.item}>
          <div className={style.waiting}>
            <span className={style.name}>{name}</span>
            <progress max={1} value={share < 1 ? share : undefined} aria-label={t('editor.uploading', { name })} />
          </div>
          <IconButton className={style.remove ?? ''} label={t('editor.cancelUpload', { name })} onClick={stop}>
            <X />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
