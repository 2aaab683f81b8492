import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { appPath } from '../lib/urls.ts'

interface Props {
  readonly to: string
  readonly newTab?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A link to a user-supplied URL: client-side navigation within the app, a normal link elsewhere. */
export const SmartLink = ({ to, newTab = false, className, children }: Props) => {
  const place = newTab ? null : appPath(to)
  if (place !== null)
    return (
      <Link to={place as never} className={className} activeProps={{ 'aria-current': 'true' }}>
        {children}
      </Link>
    )
  return (
    <a href={to} className={className} rel="noreferrer" {...(newTab && { target: '_blank' })}>
      {children}
    </a>
  )
}
