import style from './progress.module.css'

interface Props {
  /** Percent, 0 to 100. */
  readonly value: number
  /** Accessible label. */
  readonly label: string
  /** Text next to the bar, if it is not shown elsewhere. */
  readonly text?: string
}

export const Progress = ({ value, label, text }: Props) => (
  <div className={style.progress} data-done={value >= 100 || undefined}>
    <progress max={100} value={value} aria-label={label} />
    {text && <span className={style.text}>{text}</span>}
  </div>
)
