import { type ComponentPropsWithRef, useEffect, useId, useRef } from 'react'
import style from './field.module.css'

interface Words {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
}

const useWords = ({ hint, error }: Words) => {
  const id = useId()
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { id, described: { 'aria-describedby': about || undefined, 'aria-invalid': error ? true : undefined } }
}

const Around = ({ id, label, hint, error, children }: Words & { readonly id: string; readonly children: React.ReactNode }) => (
  <div className={style.field}>
    <label htmlFor={id}>{label}</label>
    {children}
    {hint && (
      <p id={`${id}-hint`} className={style.hint}>
        {hint}
      </p>
    )}
    {error && (
      <p id={`${id}-error`} className={style.error} role="alert">
        {error}
      </p>
    )}
  </div>
)

/** A text input with label, hint and error. */
export const TextField = ({ label, hint, error, ...rest }: Words & ComponentPropsWithRef<'input'>) => {
  const { id, described } = useWords({ label, hint, error })
  const Input = rest.type === 'password' ? PasswordInput : 'input'
  return (
    <Around id={id} label={label} hint={hint} error={error}>
      <Input {...rest} {...described} id={id} className={style.input} />
    </Around>
  )
}

/**
 * Uncontrolled: a controlled input mirrors its value in the `value` attribute, which style sheets can read. Clearing the value from outside
 * clears the element too.
 */
const PasswordInput = ({ value, ref: _ref, ...rest }: ComponentPropsWithRef<'input'>) => {
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (value === '' && element.current) element.current.value = ''
  }, [value])
  return <input {...rest} ref={element} />
}

/** A multi-line text field that grows with its content. */
export const TextArea = ({ label, hint, error, ...rest }: Words & ComponentPropsWithRef<'textarea'>) => {
  const { id, described } = useWords({ label, hint, error })
  return (
    <Around id={id} label={label} hint={hint} error={error}>
      <textarea {...rest} {...described} id={id} className={`${style.input} ${style.area}`} />
    </Around>
  )
}

/** A native select with label, hint and error. */
export const SelectField = ({ label, hint, error, ...rest }: Words & ComponentPropsWithRef<'select'>) => {
  const { id, described } = useWords({ label, hint, error })
  return (
    <Around id={id} label={label} hint={hint} error={error}>
      <select {...rest} {...described} id={id} className={style.input} />
    </Around>
  )
}

/** A checkbox. */
export const Check = ({ label, hint, ...rest }: Omit<Words, 'error'> & ComponentPropsWithRef<'input'>) => {
  const { id, described } = useWords({ label, hint })
  return (
    <div className={style.check}>
      <input {...rest} {...described} id={id} type="checkbox" />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={style.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps<V extends string> extends Omit<Words & ComponentPropsWithRef<'select'>, 'onChange' | 'value' | 'children'> {
  readonly value: V
  readonly options: readonly V[]
  /** Label of an option. */
  readonly words: (option: V) => string
  readonly onChoose: (option: V) => void
}

/** A select of known values with translated labels. */
export const Choice = <V extends string>({ options, words, onChoose, ...rest }: ChoiceProps<V>) => (
  <SelectField {...rest} onChange={(event) => onChoose(event.currentTarget.value as V)}>
    {options.map((option) => (
      <option key={option} value={option}>
        {words(option)}
      </option>
    ))}
  </SelectField>
)
