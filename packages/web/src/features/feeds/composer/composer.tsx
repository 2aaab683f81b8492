import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { useMe } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { AttachmentList } from '../editor/attachment-list.tsx'
import { useAttachments } from '../editor/attachments.ts'
import { ChosenGif } from '../editor/chosen-gif.tsx'
import { useDraft, useIdempotencyKey, useLeaveWarning } from '../editor/draft.ts'
import { EditReasonField } from '../editor/edit-reason.tsx'
import { useMarkdownMode } from '../editor/mode.ts'
import { TextBox, type TextInsertion } from '../editor/text-box.tsx'
import { isUnsupportedByEditor } from '../markdown/parse.ts'
import { type Feed, spacesQuery } from '../queries.ts'
import style from './composer.module.css'
import { ComposerFooter } from './footer.tsx'
import { BLANK_SURVEY, draftOf, fieldErrors, hasVotes, isUnpublished } from './form-state.ts'
import { LinkPreview } from './link-preview.tsx'
import { PostOptions } from './options.tsx'
import { RichEditor } from './rich-editor.tsx'
import { CONFIRMATIONS, sendPost } from './submit.ts'
import { SurveyEditor } from './survey-editor.tsx'
import { ComposerToolbar } from './toolbar.tsx'
import { TopicChoice } from './topic-choice.tsx'
import { useTopics } from './topics.ts'

interface Props {
  /** The preselected space. */
  readonly spaceId?: number
  /** The post to edit. */
  readonly editing?: Feed
  readonly onClose: () => void
}

/** The post editor. Unsent input is restored when it is opened again. */
export const Composer = ({ spaceId, editing, onClose }: Props) => {
  const { t } = useTranslation('feeds')
  const place = editing ? `edit:${editing.id}` : spaceId ? `space:${spaceId}` : 'home'
  const { value: draft, change, clear, isChanged } = useDraft(place, draftOf(editing, spaceId ?? null))
  const isHtml = editing?.content_type === 'html'
  const { inMarkdown, switchMode } = useMarkdownMode(isHtml || isUnsupportedByEditor(draft.message))
  const [sending, setSending] = useState(0)
  const me = useMe()
  const isOthers = editing !== undefined && editing.user_id !== me.user_id
  const [reason, setReason] = useState('')
  const box = useRef<TextInsertion>(null)
  const keyOf = useIdempotencyKey()
  const navigate = useNavigate()
  const spaces = useQuery(spacesQuery)
  const open =
    spaces.data?.filter(({ id, permissions, status }) => (permissions.can_create_post && status === 'published') || id === draft.spaceId) ??
    []
  const space = open.find(({ id }) => id === draft.spaceId)
  const topics = useTopics(space, draft.topics, (chosen) => change({ topics: chosen }))
  const items = useRef(draft.items)
  items.current = draft.items
  const attachments = useAttachments('feed', draft.items, (set) => {
    items.current = set(items.current)
    change({ items: items.current })
  })
  useLeaveWarning(isChanged && sending === 0)

  const post = useMutation({
    mutationFn: (asDraft: boolean) => sendPost({ draft, editing, asDraft, reason }, keyOf),
    onMutate: () => setSending(1),
    onSettled: () => setSending(0),
    onSuccess: async (status) => {
      clear()
      toast(t(CONFIRMATIONS[status] ?? 'composer.posted'))
      onClose()
      if (status === 'scheduled') await navigate({ to: '/scheduled' })
      if (!editing || isUnpublished(editing)) await queryClient.invalidateQueries({ queryKey: keys.feeds.lists })
    },
  })
  const problems = fieldErrors(post.error)
  const isEmpty = draft.message.trim() === '' && !draft.survey?.question.trim()
  const isBusy = attachments.sending.length > 0
  const submit = () => {
    if (!isEmpty && !isBusy && !post.isPending) post.mutate(false)
  }
  const close = () => {
    if (isChanged && !editing) toast(t('composer.draftOnDevice'))
    onClose()
  }
  const write = {
    ref: box,
    label: t('composer.message'),
    value: draft.message,
    onFiles: attachments.add,
    onSend: submit,
    topics: { offered: topics.offered, onName: topics.choose },
  }
  return (
    <Dialog title={t(editing ? 'composer.edit' : 'composer.new')} onClose={close} wide lightly={!isChanged}>
      <form
        className={style.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={style.pair}>
          <SelectField
            label={t('composer.space')}
            value={draft.spaceId ?? ''}
            error={problems.space_id}
            onChange={({ currentTarget: { value } }) => change({ spaceId: value ? Number(value) : null, topics: [] })}
          >
            <option value="">{t('composer.noSpace')}</option>
            {open.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('composer.title')}
            value={draft.title}
            maxLength={192}
            error={problems.title}
            placeholder={t('composer.titleHint')}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        </div>
        {isHtml && <p className={style.hint}>{t('composer.htmlHint')}</p>}
        {inMarkdown ? (
          <TextBox {...write} mono autoFocus onChange={(message) => change({ message })} error={problems.message} rows={7} />
        ) : (
          <RichEditor {...write} onChange={(message) => change({ message })} />
        )}
        {!inMarkdown && problems.message && (
          <p className={style.error} role="alert">
            {problems.message}
          </p>
        )}
        <ComposerToolbar
          box={box}
          onFiles={attachments.add}
          onGif={(gif) => change({ gif })}
          survey={{ is: draft.survey !== null, add: () => change({ survey: draft.survey ?? BLANK_SURVEY }) }}
          mode={isHtml ? undefined : { inMarkdown, switchMode }}
        />
        <AttachmentList items={draft.items} attachments={attachments} />
        {draft.gif && <ChosenGif gif={draft.gif} onRemove={() => change({ gif: null })} />}
        {!draft.gif && <LinkPreview text={draft.message} preview={draft.preview} unwanted={draft.unwanted} onChange={change} />}
        {draft.survey && (
          <SurveyEditor
            survey={draft.survey}
            frozen={hasVotes(editing)}
            error={problems.survey}
            onChange={(survey) => change({ survey })}
            onRemove={() => change({ survey: null })}
          />
        )}
        <TopicChoice topics={topics} chosen={draft.topics} error={problems.topics} />
        <PostOptions
          draft={draft}
          space={space}
          isUnpublished={!editing || isUnpublished(editing)}
          error={problems.scheduled_at}
          onChange={change}
        />
        {isOthers && <EditReasonField value={reason} onChange={setReason} error={problems.reason} />}
        {problems[''] && (
          <p className={style.error} role="alert">
            {problems['']}
          </p>
        )}
        <ComposerFooter
          editing={editing}
          isPlanned={draft.scheduled !== ''}
          isChanged={isChanged}
          isReady={!isEmpty && !isBusy}
          sending={post.isPending}
          onDraft={() => post.mutate(true)}
          onDiscard={() => {
            clear()
            onClose()
          }}
        />
      </form>
    </Dialog>
  )
}
