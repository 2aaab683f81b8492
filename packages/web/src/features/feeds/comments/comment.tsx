import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Ellipsis, Flag, Link2, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../../lib/community.ts'
import { pictureUrl } from '../../../lib/pictures.ts'
import { useMe } from '../../../lib/session.ts'
import { fullDateTime, relativeTime } from '../../../lib/time.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { HtmlContent } from '../../../ui/html-content.tsx'
import { Menu, type MenuAction } from '../../../ui/menu.tsx'
import { copyLink } from '../actions.ts'
import { Edited } from '../post/edited.tsx'
import { Gallery } from '../post/gallery.tsx'
import { gifOf, mediaOf } from '../post/meta.ts'
import { ReactionButton } from '../reaction-button.tsx'
import { ReactionSummary } from '../reaction-summary.tsx'
import type { FeedPermissions } from '../use-feed-permissions.ts'
import style from './comment.module.css'
import { CommentForm } from './comment-form.tsx'
import { type Comment, markHelpful, pinComment, reactToComment, removeComment } from './queries.ts'

const ReportDialog = lazy(() => import('../report-dialog.tsx').then(({ ReportDialog: component }) => ({ default: component })))

interface Props {
  readonly comment: Comment
  readonly rights: FeedPermissions
  /** Whether the post is a question, so that comments can be marked as helpful. */
  readonly isQuestion: boolean
  readonly isMeant: boolean
  readonly onReply: () => void
}

/** One comment with its actions. */
export const CommentItem = ({ comment, rights, isQuestion, isMeant, onReply }: Props) => {
  const { t } = useTranslation('feeds')
  const me = useMe()
  const community = useQuery(communityQuery)
  const [asked, setAsked] = useState<'report' | 'delete' | 'edit'>()
  const own = comment.user_id === me.user_id
  const { xprofile: author } = comment
  const gif = gifOf(comment.meta)
  const media = mediaOf(comment.meta)
  const helps = isQuestion && rights.markHelpful && comment.parent_id === null
  const link = () => {
    const url = new URL(location.href)
    url.search = `?comment_id=${comment.id}`
    url.hash = ''
    return copyLink(url.href)
  }
  const actions: readonly MenuAction[] = [
    { label: t('feed.copyLink'), icon: <Link2 />, onAction: () => void link() },
    ...(helps
      ? [
          {
            label: t(comment.is_helpful ? 'comment.unhelpful' : 'comment.helpful'),
            icon: <CircleCheck />,
            onAction: () => void markHelpful(comment),
          },
        ]
      : []),
    ...(own || rights.editComments ? [{ label: t('common:edit'), icon: <Pencil />, onAction: () => setAsked('edit') }] : []),
    ...(rights.editComments && comment.parent_id === null
      ? [
          {
            label: t(comment.is_sticky ? 'feed.unpin' : 'feed.pin'),
            icon: comment.is_sticky ? <PinOff /> : <Pin />,
            onAction: () => void pinComment(comment),
          },
        ]
      : []),
    ...(!own && community.data?.features.moderation
      ? [{ label: t('report.action'), icon: <Flag />, onAction: () => setAsked('report') }]
      : []),
    ...(own || rights.removeComments
      ? [{ label: t('common:delete'), icon: <Trash2 />, danger: true, onAction: () => setAsked('delete') }]
      : []),
  ]
  const done = () => setAsked(undefined)
  return (
    <article
      id={`comment-${comment.id}`}
      className={style.comment}
      data-meant={isMeant || undefined}
      tabIndex={-1}
      aria-label={t('comment.by', { name: author.display_name })}
    >
      <Avatar name={author.display_name} src={author.avatar} size="small" />
      <div className={style.content}>
        <div className={style.bubble}>
          <header className={style.head}>
            <Link to={`/people/${author.username}` as never} className={style.name}>
              {author.display_name}
            </Link>
            <time className={style.soft} dateTime={`${comment.created_at.replace(' ', 'T')}Z`} title={fullDateTime(comment.created_at)}>
              {relativeTime(comment.created_at)}
            </time>
            <Edited of={comment} revisions={{ comment_id: comment.id }} mayRead={own || rights.editComments} className={style.soft} />
            {comment.is_sticky && (
              <span className={style.badge}>
                <Pin aria-hidden="true" /> {t('feed.pinned')}
              </span>
            )}
            {comment.is_helpful && (
              <span className={style.badge}>
                <CircleCheck aria-hidden="true" /> {t('comment.markedHelpful')}
              </span>
            )}
            {comment.status !== 'published' && <span className={style.waiting}>{t(`kind.${comment.status}`)}</span>}
          </header>
          {asked === 'edit' ? (
            <CommentForm feedId={comment.post_id} editing={comment} onDone={done} />
          ) : (
            <>
              {comment.message && <HtmlContent html={comment.message_rendered} />}
              {media.length > 0 && <Gallery items={media} small />}
              {gif && <img className={style.gif} src={pictureUrl(gif.url)} alt={gif.title} loading="lazy" referrerPolicy="no-referrer" />}
            </>
          )}
        </div>
        <div className={style.bar}>
          {rights.react && <ReactionButton small own={comment.has_user_react} onReact={(type) => reactToComment(comment, type)} />}
          <ReactionSummary of={{ comment_id: comment.id }} count={comment.reactions_count} types={comment.reaction_types} />
          {rights.comment && (
            <button type="button" className={style.reply} onClick={onReply}>
              {t('comment.reply')}
            </button>
          )}
          <Menu label={t('comment.actions', { name: author.display_name })} trigger={<Ellipsis aria-hidden="true" />} actions={actions} />
        </div>
      </div>
      {asked === 'report' && (
        <Suspense>
          <ReportDialog of="comment" id={comment.id} onClose={done} />
        </Suspense>
      )}
      {asked === 'delete' && (
        <Confirm title={t('comment.deleteTitle')} action={t('common:delete')} onConfirm={() => removeComment(comment)} onClose={done} />
      )}
    </article>
  )
}
