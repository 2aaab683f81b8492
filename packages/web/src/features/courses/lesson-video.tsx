import { ExternalLink, Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VideoEmbed } from '../feeds/post/video-embed.tsx'
import { videoAt } from '../feeds/post/video-providers.ts'
import style from './lesson-page.module.css'

const FILE = /\.(?:mp4|webm|ogv|m4v|mov)$/i
const SOUND = /\.(?:mp3|m4a|ogg|oga|opus|wav)$/i

/** A video or audio file: local files are shown immediately, those of other sites after a click. */
const FilmFile = ({ url, title }: { readonly url: URL; readonly title: string }) => {
  const { t } = useTranslation('courses')
  const own = url.origin === location.origin
  const [playing, setPlaying] = useState(false)
  const isSound = SOUND.test(url.pathname)
  if (isSound && (own || playing))
    return (
      // biome-ignore lint/a11y/useMediaCaption: instructors link to audio files and cannot add captions
      <audio className={style.sound} src={url.href} controls preload="metadata" autoPlay={playing} aria-label={title} />
    )
  if (own || playing)
    return (
      // biome-ignore lint/a11y/useMediaCaption: instructors link to videos and cannot add captions
      <video className={style.film} src={url.href} controls preload="metadata" autoPlay={playing} title={title} />
    )
  return (
    <button type="button" className={style.ask} onClick={() => setPlaying(true)}>
      <Play aria-hidden="true" />
      <strong>{t(isSound ? 'video.playAudio' : 'video.play')}</strong>
      <span>{t('video.from', { host: url.hostname })}</span>
    </button>
  )
}

export const LessonVideo = ({ address, title }: { readonly address: string; readonly title: string }) => {
  const { t } = useTranslation('courses')
  if (!URL.canParse(address)) return null
  const film = videoAt(address)
  if (film) return <VideoEmbed film={film} title={title} />
  const url = new URL(address)
  if (FILE.test(url.pathname) || SOUND.test(url.pathname)) return <FilmFile url={url} title={title} />
  return (
    <p>
      <a href={address} target="_blank" rel="noreferrer" className={style.away}>
        <ExternalLink aria-hidden="true" /> {t('video.watchAt', { host: url.hostname })}
      </a>
    </p>
  )
}
