import { lazy, Suspense, useMemo } from 'react'
import { pictureUrl } from '../../../lib/pictures.ts'
import { Skeleton } from '../../../ui/feedback.tsx'
import { HtmlContent } from '../../../ui/html-content.tsx'
import type { Feed } from '../queries.ts'
import { useFeedPermissions } from '../use-feed-permissions.ts'
import { Gallery } from './gallery.tsx'
import { LinkCard } from './link-card.tsx'
import { gifOf, mediaOf, previewOf, surveyOf } from './meta.ts'
import style from './post.module.css'
import { videoAt, videosIn } from './video-providers.ts'

const VideoEmbed = lazy(() => import('./video-embed.tsx').then(({ VideoEmbed: component }) => ({ default: component })))
const Survey = lazy(() => import('./survey.tsx').then(({ Survey: component }) => ({ default: component })))

/** The content of a post: text, media, survey and link preview. */
export const PostContent = ({ feed }: { readonly feed: Feed }) => {
  const { meta } = feed
  const rights = useFeedPermissions(feed)
  const survey = surveyOf(meta)
  const gif = gifOf(meta)
  const preview = previewOf(meta)
  const media = mediaOf(meta)
  const films = useMemo(() => {
    const linked = videosIn(feed.message_rendered)
    const previewed = preview && videoAt(preview.url)
    return previewed && !linked.some(({ player }) => player === previewed.player) ? [...linked, previewed] : linked
  }, [feed.message_rendered, preview])
  const isFilm = preview !== null && videoAt(preview.url) !== null
  // The text of a survey post often just repeats the question.
  const says = !survey || feed.message.trim() !== survey.question.trim()
  return (
    <>
      {says && <HtmlContent html={feed.message_rendered} />}
      {survey && (
        <Suspense fallback={<Skeleton lines={survey.options.length * 2} />}>
          <Survey key={survey.voted.join()} feed={feed} survey={survey} mayVote={rights.react} />
        </Suspense>
      )}
      {feed.featured_image && <img className={style.picture} src={pictureUrl(feed.featured_image)} alt="" loading="lazy" />}
      {media.length > 0 && <Gallery items={media} />}
      {gif && (
        <img
          className={style.gif}
          src={pictureUrl(gif.url)}
          alt={gif.title}
          width={gif.width}
          height={gif.height}
          loading="lazy"
          referrerPolicy="no-referrer"
        />
      )}
      {films.map((film) => (
        <Suspense key={film.player} fallback={<Skeleton lines={4} />}>
          <VideoEmbed film={film} title={isFilm && films.length === 1 ? preview.title : ''} />
        </Suspense>
      ))}
      {preview && !isFilm && <LinkCard preview={preview} />}
    </>
  )
}
