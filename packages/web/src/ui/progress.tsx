import style from './progress.module.css'

interface Props {
  /** Percent, 0 to 100. */
  readonly value: number
  /** What it is the progress of, for those who do not see the bar. */
  readonly label: string
  /** What stands beside the bar, where it is not to be found elsewhere. */
  readonly text?: string
}

/** How far something is. */
export const Progress = ({ value, label, text }: Props) => (
  <div className={style.progress} data-done={value >= 100 || undefined}>
    <progress max={100} value={value} aria-label={label} />
    {text && <span className={style.text}>{text}</span>}
  </div>
)
