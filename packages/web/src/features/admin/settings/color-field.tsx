import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../../../ui/field.module.css'
import style from './settings.module.css'

const WHOLE = /^#[0-9a-f]{6}$/i

interface Props {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A color picker with a text field for the hex value. */
export const ColorField = ({ label, hint, error, value, onChange }: Props) => {
  const { t } = useTranslation('admin')
  const id = useId()
  const [written, setWritten] = useState<string | null>(null)
  const write = (text: string) => {
    setWritten(text)
    if (WHOLE.test(text)) onChange(text.toLowerCase())
  }
  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <div className={style.pick}>
        <input
          id={id}
          type="color"
          className={field.input}
          aria-describedby={`${id}-about`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <input
          className={field.input}
          aria-label={t('colorWritten', { color: label })}
          value={written ?? value}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => write(event.currentTarget.value.trim())}
          onBlur={() => setWritten(null)}
        />
      </div>
      <p id={`${id}-about`} className={error ? field.error : field.hint} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
