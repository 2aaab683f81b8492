import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../../lib/pictures.ts'
import { IconButton } from '../../../ui/button.tsx'
import type { GifView } from '../post/meta.ts'
import style from './attachment-list.module.css'

/** The selected GIF. */
export const ChosenGif = ({ gif, onRemove }: { readonly gif: GifView; readonly onRemove: () => void }) => {
  const { t } = useTranslation('feeds')
  return (
    <div className={style.list}>
      <div className={style.item}>
        <img className={style.picture} src={pictureUrl(gif.url)} alt={gif.title} referrerPolicy="no-referrer" />
        <IconButton className={style.remove ?? ''} label={t('editor.removeGif')} onClick={onRemove}>
          <X />
        </IconButton>
      </div>
    </div>
  )
}
