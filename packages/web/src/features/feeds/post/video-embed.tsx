import { Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import style from './post.module.css'
import type { EmbeddedVideo } from './video-providers.ts'

/** A video of another site. Nothing is requested from that site before the user clicks. */
export const VideoEmbed = ({ film, title }: { readonly film: EmbeddedVideo; readonly title: string }) => {
  const { t } = useTranslation('feeds')
  const [playing, setPlaying] = useState(false)
  if (playing)
    return (
      <iframe
        className={style.player}
        src={film.player}
        title={title || t('post.video', { site: film.site })}
        allow="autoplay; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
      />
    )
  return (
    <button type="button" className={style.film} onClick={() => setPlaying(true)}>
      <span className={style.play}>
        <Play aria-hidden="true" />
      </span>
      <strong>{title || t('post.video', { site: film.site })}</strong>
      <span className={style.filmHint}>{t('post.videoHint', { site: film.site })}</span>
    </button>
  )
}
