import { useId } from 'react'
import style from './segmented-control.module.css'

interface Props<V extends string> {
  /** Accessible label of the group. */
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
}

/** Selects one of a few visible options. */
export const SegmentedControl = <V extends string>({ label, value, options, onChange }: Props<V>) => {
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
