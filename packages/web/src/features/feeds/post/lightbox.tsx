import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../../lib/pictures.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import style from './lightbox.module.css'
import type { MediaItem } from './meta.ts'

interface Props {
  readonly pictures: readonly MediaItem[]
  readonly first: number
  readonly onClose: () => void
}

/** Shows one image at full size; buttons and arrow keys switch between images. */
export const Lightbox = ({ pictures, first, onClose }: Props) => {
  const { t } = useTranslation('feeds')
  const [shown, setShown] = useState(first)
  const picture = pictures[shown]
  const go = (step: number) => setShown((now) => (now + step + pictures.length) % pictures.length)
  const keys = ({ key }: KeyboardEvent) => {
    const onward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (key === 'ArrowRight' || key === 'ArrowLeft') go(key === onward ? 1 : -1)
  }
  if (!picture) return null
  return (
    <Dialog title={picture.alt || t('post.picture', { number: shown + 1, total: pictures.length })} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut for the two buttons */}
      <div className={style.large} onKeyDown={keys}>
        <img src={pictureUrl(picture.url)} alt={picture.alt} />
        {pictures.length > 1 && (
          <div className={style.steps}>
            <IconButton label={t('post.previous')} onClick={() => go(-1)}>
              <ChevronLeft />
            </IconButton>
            <IconButton label={t('post.next')} onClick={() => go(1)} autoFocus>
              <ChevronRight />
            </IconButton>
          </div>
        )}
      </div>
    </Dialog>
  )
}
