import { useMutation } from '@tanstack/react-query'
import { FileCode2, PencilLine, SendHorizontal } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { useMe } from '../../../lib/session.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { AttachmentList } from '../editor/attachment-list.tsx'
import { useAttachments } from '../editor/attachments.ts'
import { ChosenGif } from '../editor/chosen-gif.tsx'
import { type Attachment, useDraft, useIdempotencyKey, useLeaveWarning } from '../editor/draft.ts'
import { EditReasonField } from '../editor/edit-reason.tsx'
import { EmojiPicker } from '../editor/emoji-picker.tsx'
import { GifPicker } from '../editor/gif-picker.tsx'
import { useMarkdownMode } from '../editor/mode.ts'
import { PictureButton } from '../editor/picture-button.tsx'
import type { TextInsertion } from '../editor/text-box.tsx'
import { type GifView, gifOf, mediaOf } from '../post/meta.ts'
import { CommentBox, type CommentText, markdownOf } from './comment-box.tsx'
import style from './comment-form.module.css'
import { type Comment, showComment } from './queries.ts'

interface Props {
  readonly feedId: number
  /** The comment to reply to. */
  readonly parentId?: number
  /** Initial text, such as the mention of the person replied to. */
  readonly start?: string
  /** The comment to edit. */
  readonly editing?: Comment
  readonly onDone?: () => void
}

interface Draft extends CommentText {
  readonly items: readonly Attachment[]
  readonly gif: GifView | null
}

const placeOf = ({ feedId, parentId, editing }: Props) =>
  editing ? `comment:${editing.id}` : parentId ? `reply:${parentId}` : `feed:${feedId}`

/** Creates or edits a comment. Unsent input is restored when it is opened again. */
export const CommentForm = (props: Props) => {
  const { feedId, parentId, start = '', editing, onDone } = props
  const { t } = useTranslation('feeds')
  const box = useRef<TextInsertion>(null)
  const keyOf = useIdempotencyKey()
  const { value, change, clear, isChanged } = useDraft<Draft>(placeOf(props), {
    text: editing?.message ?? '',
    typed: start,
    items: editing ? mediaOf(editing.meta) : [],
    gif: editing ? gifOf(editing.meta) : null,
  })
  const items = useRef(value.items)
  items.current = value.items
  const attachments = useAttachments('comment', value.items, (set) => {
    items.current = set(items.current)
    change({ items: items.current })
  })
  useLeaveWarning(isChanged)
  const me = useMe()
  const isOthers = editing !== undefined && editing.user_id !== me.user_id
  const [reason, setReason] = useState('')
  const isHtml = editing?.content_type === 'html'
  const { inMarkdown, setInMarkdown, switchMode } = useMarkdownMode(isHtml)

  const send = useMutation({
    mutationFn: async () => {
      const media = value.items.map(({ at: _at, ...item }) => item)
      const meta = { media_items: media.length > 0 ? media : null, gif: value.gif }
      const comment = await markdownOf(value)
      if (editing) {
        const because = isOthers && { reason }
        await client.comments.update({ feed_id: feedId, comment_id: editing.id, comment, media_images: null, meta, ...because })
        return { id: editing.id, status: editing.status }
      }
      const body = { feed_id: feedId, comment, content_type: 'text' as const, meta, ...(parentId && { parent_id: parentId }) }
      return (await client.comments.create(body, { idempotencyKey: keyOf(body) })).data
    },
    onSuccess: async ({ id, status }) => {
      box.current?.clear()
      clear()
      if (status === 'pending') toast(t('comment.pendingReview'))
      await showComment(feedId, id).catch(() => {})
      onDone?.()
    },
  })
  const errorOf = formErrors(send.error, ['reason'])
  const isEmpty = `${value.text}${value.typed}`.trim() === '' && value.items.length === 0 && !value.gif
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isEmpty && attachments.sending.length === 0 && !send.isPending) send.mutate()
  }
  return (
    <form className={style.form} onSubmit={submit}>
      <CommentBox
        ref={box}
        label={t(parentId ? 'comment.writeReply' : 'comment.write')}
        words={value}
        onChange={change}
        onFiles={attachments.add}
        onSend={submit}
        inMarkdown={inMarkdown}
        onBeyond={() => setInMarkdown(true)}
        breaks={editing?.content_type !== 'markdown'}
        error={errorOf('')}
        autoFocus={Boolean(onDone)}
      />
      <AttachmentList items={value.items} attachments={attachments} />
      {isOthers && <EditReasonField value={reason} onChange={setReason} error={errorOf('reason')} />}
      {value.gif && <ChosenGif gif={value.gif} onRemove={() => change({ gif: null })} />}
      <div className={style.bar}>
        <EmojiPicker onChoose={(emoji) => box.current?.insert(emoji)} />
        <PictureButton onFiles={attachments.add} />
        <GifPicker onChoose={(gif) => change({ gif })} />
        {!isHtml && (
          <IconButton
            label={t(inMarkdown ? 'editor.rich' : 'editor.markdown')}
            onClick={() => {
              if (value.typed) change({ text: value.typed, typed: '' })
              switchMode()
            }}
          >
            {inMarkdown ? <PencilLine /> : <FileCode2 />}
          </IconButton>
        )}
        <span className={style.space} />
        {onDone && (
          <Button
            kind="quiet"
            onClick={() => {
              if (editing) clear()
              onDone()
            }}
          >
            {t('common:cancel')}
          </Button>
        )}
        <Button
          kind="primary"
          type="submit"
          busy={send.isPending}
          disabled={isEmpty || attachments.sending.length > 0}
          icon={<SendHorizontal aria-hidden="true" />}
        >
          {t(editing ? 'common:save' : 'comment.send')}
        </Button>
      </div>
    </form>
  )
}
