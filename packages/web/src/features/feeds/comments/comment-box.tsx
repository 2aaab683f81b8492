import { type Ref, useEffect, useRef, useState } from 'react'
import { TextBox, type TextInsertion } from '../editor/text-box.tsx'
import style from './comment-box.module.css'

/** The text of a comment being written. */
export interface CommentText {
  /** Markdown. */
  readonly text: string
  /** Plain text typed before the editor was loaded. */
  readonly typed: string
}

interface Props {
  readonly ref: Ref<TextInsertion>
  readonly label: string
  readonly words: CommentText
  readonly onChange: (words: CommentText) => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onSend: () => void
  readonly inMarkdown: boolean
  /** The text has elements the editor does not support. */
  readonly onBeyond: () => void
  /** Whether single line breaks are kept in this text. */
  readonly breaks: boolean
  readonly error?: string | undefined
  readonly autoFocus: boolean
}

/** The editor is loaded on demand, because most visitors only read. */
const load = async () => {
  const [{ RichEditor }, { isUnsupportedByEditor }, { plainToMarkdown }] = await Promise.all([
    import('../composer/rich-editor.tsx'),
    import('../markdown/parse.ts'),
    import('../markdown/plain.ts'),
  ])
  return { RichEditor, isUnsupportedByEditor, plainToMarkdown }
}
type Loaded = Awaited<ReturnType<typeof load>>

/** The Markdown of a comment. */
export const markdownOf = async ({ text, typed }: CommentText): Promise<string> => (typed ? (await load()).plainToMarkdown(typed) : text)

/** The text field of a comment: rich text or Markdown. */
export const CommentBox = ({ words: { text, typed }, onChange, inMarkdown, onBeyond, breaks, error, autoFocus, ...write }: Props) => {
  const around = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState(autoFocus)
  const [isComposing, setComposing] = useState(false)
  const [loaded, setLoaded] = useState<Loaded | 'failed'>()
  const [shown, setShown] = useState<{ readonly focus: boolean }>()
  const isWanted = !inMarkdown && (begun || text !== '')

  const latest = useRef({ text, onBeyond })
  latest.current = { text, onBeyond }
  useEffect(() => {
    if (!isWanted) return
    const take = (modules: Loaded) => {
      if (modules.isUnsupportedByEditor(latest.current.text)) latest.current.onBeyond()
      setLoaded(modules)
    }
    void load().then(take, () => setLoaded('failed'))
  }, [isWanted])
  useEffect(() => {
    // An IME composition must be finished first.
    if (loaded && !isComposing) setShown((before) => before ?? { focus: around.current?.contains(document.activeElement) ?? false })
  }, [loaded, isComposing])

  const isFailed = loaded === 'failed'
  const isSource = inMarkdown || (isFailed && text !== '')
  const editor = !inMarkdown && shown && loaded !== 'failed' ? loaded : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only observes events of the text box inside
    <div
      ref={around}
      className={style.around}
      onFocus={() => setBegun(true)}
      onPointerEnter={() => void load().catch(() => {})}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
    >
      {editor ? (
        <>
          <editor.RichEditor
            {...write}
            value={typed ? editor.plainToMarkdown(typed) : text}
            typed={typed}
            onChange={(markdown) => onChange({ text: markdown, typed: '' })}
            breaks={breaks}
            focuses={shown?.focus ?? false}
            compact
          />
          {error && (
            <p className={style.error} role="alert">
              {error}
            </p>
          )}
        </>
      ) : (
        <TextBox
          {...write}
          value={typed || text}
          onChange={(value) => onChange(isSource ? { text: value, typed: '' } : { text: '', typed: value })}
          readOnly={!isSource && text !== ''}
          error={error}
          autoFocus={autoFocus}
        />
      )}
    </div>
  )
}
