import { CircleCheck, Hourglass, MailCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import style from './auth.module.css'

const PICTURES = { done: CircleCheck, mail: MailCheck, waiting: Hourglass } as const

interface Props {
  readonly kind: keyof typeof PICTURES
  readonly title: string
  readonly children: ReactNode
}

/** The result of a form. It takes the focus, since the form that had it is removed. */
export const ResultScreen = ({ kind, title, children }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const Picture = PICTURES[kind]
  return (
    <div className={style.outcome} ref={place} tabIndex={-1} role="status">
      <Picture aria-hidden="true" />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
