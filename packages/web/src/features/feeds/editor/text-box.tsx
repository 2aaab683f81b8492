import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { mediaFilesOf } from './attachments.ts'
import { type Topics, useAutocomplete } from './autocomplete.tsx'
import { type PartialName, partialNameAt } from './autocomplete-match.tsx'
import style from './text-box.module.css'

/** What toolbar buttons may do with the text. */
export interface TextInsertion {
  readonly insert: (text: string) => void
  readonly clear: () => void
  readonly focus: () => void
}

interface Props {
  readonly ref?: Ref<TextInsertion>
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onSend?: () => void
  readonly error?: string | undefined
  readonly rows?: number
  readonly autoFocus?: boolean
  readonly mono?: boolean
  readonly readOnly?: boolean
  readonly topics?: Topics
}

/** A growing text box for plain text or Markdown, with autocomplete and support for pasted and dropped images. */
export const TextBox = ({
  ref,
  label,
  value,
  onChange,
  onFiles,
  onSend,
  error,
  rows = 2,
  autoFocus = false,
  mono = false,
  readOnly = false,
  topics,
}: Props) => {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [begun, setBegun] = useState<PartialName | null>(null)
  /** Replaces a range in a way that the browser's undo can revert. */
  const replace = (text: string, from?: number, to?: number) => {
    const field = area.current
    if (!field) return
    field.focus()
    if (from !== undefined && to !== undefined) field.setSelectionRange(from, to)
    // `execCommand` is deprecated, but the only way to keep the undo history.
    if (document.activeElement !== field || !document.execCommand('insertText', false, text)) {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
      onChange(field.value)
    }
  }
  const completion = useAutocomplete({
    begun,
    topics,
    onChoose: (text, { from, to }) => {
      setBegun(null)
      replace(text, from, to)
    },
    onStop: () => setBegun(null),
  })
  useImperativeHandle(ref, () => ({ insert: (text) => replace(text), clear: () => onChange(''), focus: () => area.current?.focus() }))
  const look = ({ currentTarget: { value: text, selectionStart, selectionEnd } }: { readonly currentTarget: HTMLTextAreaElement }) =>
    setBegun(selectionStart === selectionEnd ? partialNameAt(text.slice(0, selectionEnd)) : null)
  const keys = (event: KeyboardEvent) => {
    if (completion.onKey(event)) event.preventDefault()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSend) {
      event.preventDefault()
      onSend()
    }
  }
  const take = (event: { readonly preventDefault: () => void }, data: DataTransfer) => {
    const files = mediaFilesOf(data)
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <div className={style.around}>
      <textarea
        {...completion.described}
        ref={area}
        className={style.area}
        data-mono={mono || undefined}
        aria-label={label}
        placeholder={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        rows={rows}
        value={value}
        readOnly={readOnly}
        // biome-ignore lint/a11y/noAutofocus: only rendered after the user asked to write
        autoFocus={autoFocus}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          look(event)
        }}
        onSelect={look}
        onBlur={() => setBegun(null)}
        onKeyDown={keys}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
      {completion.list}
      {error && (
        <p id={`${id}-error`} className={style.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
