import { Timer } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDurationText } from './duration.ts'
import style from './quiz.module.css'

/** Seconds left at which screen readers announce the time. */
const SAID_AT = [3600, 1800, 900, 600, 300, 120, 60, 30, 10]
const SHORT = 60

const two = (n: number) => String(n).padStart(2, '0')
const shown = (seconds: number) => {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

interface Props {
  /** Deadline in milliseconds by the clock of this device. */
  readonly until: number
  readonly onUp: () => void
}

/** The remaining time, always visible and announced at intervals. */
export const Countdown = ({ until, onUp }: Props) => {
  const { t } = useTranslation('courses')
  const span = useDurationText()
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  const [said, setSaid] = useState('')
  const before = useRef(seconds + 1)
  const up = useRef(false)
  const tick = useEffectEvent(() => {
    const now = left()
    setSeconds(now)
    // After the device slept, only the last missed announcement is made.
    const moment = SAID_AT.findLast((each) => before.current > each && now <= each)
    if (moment !== undefined && now > 0) setSaid(t('quiz.timeLeft', { time: span(moment) }))
    before.current = now
    if (now > 0 || up.current) return
    up.current = true
    setSaid(t('quiz.timeUp'))
    onUp()
  })
  useEffect(() => {
    tick()
    const every = setInterval(tick, 500)
    return () => clearInterval(every)
  }, [])
  return (
    <div className={style.clock} data-short={seconds <= SHORT || undefined}>
      <Timer aria-hidden="true" />
      <span role="timer" aria-label={t('quiz.timeLeftLabel')} aria-live="off">
        {shown(seconds)}
      </span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}
