import type { ComponentPropsWithRef, ReactNode } from 'react'
import style from './button.module.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

interface Props extends ComponentPropsWithRef<'button'> {
  readonly kind?: Kind
  readonly busy?: boolean
  readonly icon?: ReactNode
}

/** What does something. While it is `busy` it stays in place, tells so and takes no further press. */
export const Button = ({ kind = 'plain', busy = false, icon, children, className = '', onClick, type = 'button', ...rest }: Props) => (
  <button
    {...rest}
    type={type}
    className={`${style.button} ${style[kind]} ${className}`}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
  >
    {icon}
    {children}
  </button>
)

interface IconProps extends ComponentPropsWithRef<'button'> {
  /** What it does, for those who do not see the picture, and for whoever rests on it. */
  readonly label: string
}

/** A picture that does something. */
export const IconButton = ({ label, className = '', type = 'button', ...rest }: IconProps) => (
  <button {...rest} type={type} className={`${style.icon} ${className}`} aria-label={label} title={label} />
)
