import type { ComponentPropsWithRef, ReactNode } from 'react'
import style from './button.module.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

interface Props extends ComponentPropsWithRef<'button'> {
  readonly kind?: Kind
  readonly busy?: boolean
  readonly icon?: ReactNode
}

/** A button. While `busy` it keeps its size, announces the state and ignores clicks. */
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
  /** Accessible label and tooltip. */
  readonly label: string
}

/** A button that shows only an icon. */
export const IconButton = ({ label, className = '', type = 'button', ...rest }: IconProps) => (
  <button {...rest} type={type} className={`${style.icon} ${className}`} aria-label={label} title={label} />
)
