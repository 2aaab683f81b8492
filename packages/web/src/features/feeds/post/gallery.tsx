import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureUrl, preloadOf } from '../../../lib/pictures.ts'
import style from './gallery.module.css'
import type { MediaItem } from './meta.ts'

const Lightbox = lazy(() => import('./lightbox.tsx').then(({ Lightbox: component }) => ({ default: component })))

const SHOWN = 4
const isFilm = ({ type, url }: MediaItem) => type.startsWith('video') || /\.(mp4|webm)$/i.test(url)
const isSound = ({ type, url }: MediaItem) => type.startsWith('audio') || /\.(mp3|m4a|ogg|wav)$/i.test(url)

/** Attached images, videos and audio files; a click on an image opens the lightbox. */
export const Gallery = ({ items, small = false }: { readonly items: readonly MediaItem[]; readonly small?: boolean }) => {
  const { t } = useTranslation('feeds')
  const [shown, setShown] = useState<number>()
  const sounds = items.filter(isSound)
  const films = items.filter((item) => isFilm(item) && !isSound(item))
  const pictures = items.filter((item) => !isFilm(item) && !isSound(item))
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
                aria-label={alt || t('post.picture', { number: n + 1, total: pictures.length })}
              >
                <img src={pictureUrl(url)} alt="" width={width} height={height} loading="lazy" decoding="async" />
                {n === SHOWN - 1 && rest > 0 && <span className={style.rest}>{t('post.morePictures', { count: rest })}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {films.map(({ url, alt }) => (
        // biome-ignore lint/a11y/useMediaCaption: uploads have no caption track
        <video key={url} className={style.film} src={url} controls preload={preloadOf(url)} aria-label={alt || t('post.uploadedVideo')} />
      ))}
      {sounds.map(({ url, alt }) => (
        <figure key={url} className={style.sound}>
          {alt && <figcaption>{alt}</figcaption>}
          {/* biome-ignore lint/a11y/useMediaCaption: uploads have no caption track */}
          <audio src={url} controls preload={preloadOf(url)} aria-label={alt || t('post.uploadedAudio')} />
        </figure>
      ))}
      {shown !== undefined && (
        <Suspense>
          <Lightbox pictures={pictures} first={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  )
}
