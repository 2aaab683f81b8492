import { useId } from 'react'
import style from './segmented-control.module.css'

interface Props<V extends string> {
  /** What is chosen between, for those who do not see it. */
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
}

/** One of a few, all of which are seen. */
export const Segments = <V extends string>({ label, value, options, onChange }: Props<V>) => {
  const name = useId()
  return (
    <fieldset className={style.segments}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={style.segment}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
