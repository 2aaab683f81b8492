import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import style from './gallery.module.css'
import type { MediaItem } from './meta.ts'

const SHOWN = 4
const isFilm = ({ type, url }: MediaItem) => type.startsWith('video') || /\.(mp4|webm)$/i.test(url)

/** Pictures and films of a text; a press shows a picture as large as it fits. */
export const Gallery = ({ items, small = false }: { readonly items: readonly MediaItem[]; readonly small?: boolean }) => {
  const { t } = useTranslation('feeds')
  const [shown, setShown] = useState<number>()
  const films = items.filter(isFilm)
  const pictures = items.filter((item) => !isFilm(item))
  const large = shown === undefined ? undefined : pictures[shown]
  const go = (step: number) => setShown((now) => ((now ?? 0) + step + pictures.length) % pictures.length)
  const keys = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(1)
    if (key === 'ArrowLeft') go(-1)
  }
  const rest = pictures.length - SHOWN
  return (
    <>
      {pictures.length > 0 && (
        <ul className={style.gallery} data-small={small || undefined} data-count={Math.min(pictures.length, SHOWN)}>
          {pictures.slice(0, SHOWN).map(({ url, alt, width, height }, n) => (
            <li key={url} className={style.cell}>
              <button
                type="button"
                className={style.open}
                onClick={() => setShown(n)}
                aria-label={alt || t('post.picture', { n: n + 1, of: pictures.length })}
              >
                <img src={url} alt="" width={width} height={height} loading="lazy" decoding="async" />
                {n === SHOWN - 1 && rest > 0 && <span className={style.rest}>{t('post.morePictures', { count: rest })}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {films.map(({ url, alt }) => (
        // biome-ignore lint/a11y/useMediaCaption: whoever uploads a film has no way to add captions
        <video key={url} className={style.film} src={url} controls preload="metadata" aria-label={alt || t('post.ownFilm')} />
      ))}
      {large && (
        <Dialog
          title={large.alt || t('post.picture', { n: (shown ?? 0) + 1, of: pictures.length })}
          onClose={() => setShown(undefined)}
          wide
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows are a shortcut for the two buttons */}
          <div className={style.large} onKeyDown={keys}>
            <img src={large.url} alt={large.alt} />
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
      )}
    </>
  )
}
